/* SPDX-License-Identifier: MIT */
#include "server/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

enum { IPV4_PREFIX_BYTES = 12, SUBSCRIBER_BYTES = 8 };

static const unsigned char ipv4_prefix[IPV4_PREFIX_BYTES] = {[10] = 0xff, [11] = 0xff};

bool address_read(const char *text, size_t length, struct address *address)
{
	char copy[INET6_ADDRSTRLEN];
	unsigned char ipv4[sizeof(struct in_addr)];

	if (length >= sizeof(copy) || memchr(text, 0, length))
		return false;
	memcpy(copy, text, length);
	copy[length] = 0;
	if (inet_pton(AF_INET, copy, ipv4) == 1) {
		memcpy(address->bytes, ipv4_prefix, IPV4_PREFIX_BYTES);
		memcpy(address->bytes + IPV4_PREFIX_BYTES, ipv4, sizeof(ipv4));
		return true;
	}
	return inet_pton(AF_INET6, copy, address->bytes) == 1;
}

struct address address_subscriber(struct address address)
{
	if (memcmp(address.bytes, ipv4_prefix, IPV4_PREFIX_BYTES) != 0)
		memset(address.bytes + SUBSCRIBER_BYTES, 0, ADDRESS_RAW_BYTES - SUBSCRIBER_BYTES);
	return address;
}

bool proxies_have(const struct proxies *proxies, const struct address *address)
{
	for (size_t i = 0; i < proxies->count; i++)
		if (memcmp(&proxies->addresses[i], address, sizeof(*address)) == 0)
			return true;
	return false;
}

/* The last entry of the last such field; data is NULL when there is none. */
static struct http_slice last_forwarded(const struct http_request *request)
{
	static const char name[] = "X-Forwarded-For";

	for (size_t i = request->field_count; i-- > 0;) {
		const struct http_field *field = &request->fields[i];
		struct http_slice entry = field->value;
		size_t start = entry.length;

		if (field->name.length != sizeof(name) - 1 ||
			strncasecmp(field->name.data, name, sizeof(name) - 1) != 0)
			continue;
		while (start > 0 && entry.data[start - 1] != ',')
			start--;
		while (start < entry.length &&
			(entry.data[start] == ' ' || entry.data[start] == '\t'))
			start++;
		return (struct http_slice){entry.data + start, entry.length - start};
	}
	return (struct http_slice){NULL, 0};
}

struct address address_of_visitor(const struct proxies *proxies, const struct address *peer,
	const struct http_request *request)
{
	struct address visitor;
	struct http_slice entry;

	if (!proxies_have(proxies, peer))
		return *peer;
	entry = last_forwarded(request);
	return entry.data && address_read(entry.data, entry.length, &visitor) ? visitor : *peer;
}
