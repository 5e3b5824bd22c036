/* SPDX-License-Identifier: MIT */
#include "server/secrets.h"

#include <string.h>

#include <sodium.h>

enum { SECRET_RAW_BYTES = 16, BASE64_VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

_Static_assert(sodium_base64_ENCODED_LEN(SECRET_RAW_BYTES, BASE64_VARIANT) == SECRET_BYTES,
	"a secret as text");

/* Crockford's base 32: no letter that is taken for a digit. */
static const char name_letters[] = "0123456789abcdefghjkmnpqrstvwxyz";

bool secrets_init(void)
{
	return sodium_init() >= 0;
}

static struct secret secret_encode(const unsigned char raw[SECRET_RAW_BYTES])
{
	struct secret secret;

	sodium_bin2base64(secret.text, sizeof(secret.text), raw, SECRET_RAW_BYTES, BASE64_VARIANT);
	return secret;
}

struct secret secret_draw(void)
{
	unsigned char raw[SECRET_RAW_BYTES];

	randombytes_buf(raw, sizeof(raw));
	return secret_encode(raw);
}

struct secret secret_derive(const struct secret *from, const char *request)
{
	unsigned char raw[SECRET_RAW_BYTES];

	crypto_generichash(raw, sizeof(raw), (const unsigned char *)request, strlen(request),
		(const unsigned char *)from->text, strlen(from->text));
	return secret_encode(raw);
}

bool secret_read(const char *text, size_t length, struct secret *secret)
{
	unsigned char raw[SECRET_RAW_BYTES];
	size_t raw_length;
	struct secret read;

	if (length != SECRET_BYTES - 1)
		return false;
	if (sodium_base642bin(
		    raw, sizeof(raw), text, length, NULL, &raw_length, NULL, BASE64_VARIANT) != 0 ||
		raw_length != sizeof(raw))
		return false;
	/* The spare bits of the last character must be the ones that are written. */
	read = secret_encode(raw);
	if (memcmp(read.text, text, length) != 0)
		return false;
	*secret = read;
	return true;
}

struct room_hash secret_hash(const struct secret *secret)
{
	struct room_hash hash;

	crypto_generichash(hash.bytes, sizeof(hash.bytes), (const unsigned char *)secret->text,
		strlen(secret->text), NULL, 0);
	return hash;
}

void room_name_draw(char name[ROOM_ID_BYTES])
{
	for (int i = 0; i < ROOM_NAME_LENGTH; i++)
		name[i] = name_letters[randombytes_uniform(sizeof(name_letters) - 1)];
	name[ROOM_NAME_LENGTH] = 0;
}

bool room_name_is_valid(const char *text, size_t length)
{
	if (length != ROOM_NAME_LENGTH)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!text[i] || !strchr(name_letters, text[i]))
			return false;
	return true;
}
