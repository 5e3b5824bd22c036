/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <limits.h>
#include <regex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "server/server.h"

enum {
	ADDRESS_BYTES = 64,
	ORIGIN_BYTES = 200,
	NUMBERS = 1000, /* getopt_long's values of the options below begin here */
};

/* The options that are whole numbers. */
static const struct {
	const char *name;
	unsigned least;
	unsigned most;
	unsigned by_default;
	size_t member; /* of struct server_options, an unsigned */
} numbers[] = {
	{"rooms-max", 1, 1000000, 10000, offsetof(struct server_options, rooms_max)},
	{"request-seconds", 1, 3600, 60, offsetof(struct server_options, request_seconds)},
	{"present-seconds", 1, 3600, 30, offsetof(struct server_options, present_seconds)},
	{"absence-seconds", 1, 86400, 300, offsetof(struct server_options, absence_seconds)},
	{"room-days", 0, 3650, 30, offsetof(struct server_options, room_days)},
	{"requests-per-second", 0, GATE_LIMIT_MAX, 200,
		offsetof(struct server_options, gate.requests_per_second)},
	{"rooms-per-minute", 0, GATE_LIMIT_MAX, 60,
		offsetof(struct server_options, gate.rooms_per_minute)},
	{"connections-per-address", 0, GATE_LIMIT_MAX, 1000,
		offsetof(struct server_options, gate.connections_per_address)},
	{"commands-per-second", 0, GATE_LIMIT_MAX, 10,
		offsetof(struct server_options, gate.commands_per_second)},
};

enum { NUMBER_COUNT = sizeof(numbers) / sizeof(numbers[0]) };

static bool is_numeric(const char *address)
{
	unsigned char bytes[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1;
}

/* Splits "ADDRESS:PORT"; an IPv6 address stands in brackets. */
static bool read_listen(const char *text, char address[ADDRESS_BYTES], int *port)
{
	const char *colon = strrchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	long number;

	if (length > 1 && text[0] == '[' && colon[-1] == ']') {
		text++;
		length -= 2;
	}
	if (length == 0 || length >= ADDRESS_BYTES ||
		!cli_read_number(colon + 1, 0, 65535, &number))
		return false;
	memcpy(address, text, length);
	address[length] = 0;
	*port = (int)number;
	return is_numeric(address);
}

/* An origin: http or https, a host and perhaps a port, no path (RFC 6454). */
static bool is_origin(const char *url)
{
	static const char form[] = "^https?://"
				   "([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])"
				   "(:[0-9]{1,5})?$";
	regex_t pattern;
	bool matches;

	if (strlen(url) >= ORIGIN_BYTES || regcomp(&pattern, form, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	matches = regexec(&pattern, url, 0, NULL, 0) == 0;
	regfree(&pattern);
	return matches;
}

static void set_number(struct server_options *options, size_t place, unsigned number)
{
	memcpy((char *)options + numbers[place].member, &number, sizeof(number));
}

static int read_number(struct server_options *options, size_t place, const char *text)
{
	long number;

	if (!cli_read_number(text, numbers[place].least, numbers[place].most, &number))
		return cli_usage("serve", "--%s must be a whole number from %u to %u, not \"%s\"",
			numbers[place].name, numbers[place].least, numbers[place].most, text);
	set_number(options, place, (unsigned)number);
	return CLI_DONE;
}

static int read_proxy(struct server_options *options, const char *text)
{
	struct proxies *proxies = &options->gate.proxies;

	if (proxies->count == PROXIES_MAX)
		return cli_usage("serve", "--proxy may be given %d times", PROXIES_MAX);
	if (!address_read(text, strlen(text), &proxies->addresses[proxies->count]))
		return cli_usage("serve",
			"--proxy must be an address in numbers, as 127.0.0.1 or ::1, not \"%.80s\"",
			text);
	proxies->count++;
	return CLI_DONE;
}

static int read_option(int option, char **argv, struct server_options *options,
	char address[ADDRESS_BYTES], char metrics[ADDRESS_BYTES])
{
	switch (option) {
	case 'l':
		if (!read_listen(optarg, address, &options->port))
			return cli_usage("serve",
				"--listen must be ADDRESS:PORT, the address in numbers, as "
				"127.0.0.1:8080 or [::1]:8080, not \"%.80s\"",
				optarg);
		return CLI_DONE;
	case 'd':
		options->data = optarg;
		return CLI_DONE;
	case 'p':
		if (!is_origin(optarg))
			return cli_usage("serve",
				"--public-url must be like https://games.example, not \"%s\"",
				optarg);
		options->public_url = optarg;
		return CLI_DONE;
	case 'w':
		options->web = optarg;
		return CLI_DONE;
	case 'm':
		if (!read_listen(optarg, metrics, &options->metrics_port))
			return cli_usage("serve",
				"--metrics must be ADDRESS:PORT, the address in numbers, as "
				"127.0.0.1:9090, not \"%.80s\"",
				optarg);
		options->metrics_address = metrics;
		return CLI_DONE;
	case 'x':
		return read_proxy(options, optarg);
	default:
		if (option >= NUMBERS)
			return read_number(options, (size_t)(option - NUMBERS), optarg);
		return cli_usage_option("serve", argv);
	}
}

static int read_options(int argc, char **argv, struct server_options *options,
	char address[ADDRESS_BYTES], char metrics[ADDRESS_BYTES])
{
	static const struct option texts[] = {
		{"listen", required_argument, NULL, 'l'},
		{"data", required_argument, NULL, 'd'},
		{"public-url", required_argument, NULL, 'p'},
		{"web", required_argument, NULL, 'w'},
		{"proxy", required_argument, NULL, 'x'},
		{"metrics", required_argument, NULL, 'm'},
	};
	enum { TEXT_COUNT = sizeof(texts) / sizeof(texts[0]) };
	struct option known[TEXT_COUNT + NUMBER_COUNT + 1] = {0};
	int result = CLI_DONE;
	int option;

	memcpy(known, texts, sizeof(texts));
	for (size_t i = 0; i < NUMBER_COUNT; i++)
		known[TEXT_COUNT + i] =
			(struct option){numbers[i].name, required_argument, NULL, NUMBERS + (int)i};
	while (result == CLI_DONE && (option = getopt_long(argc, argv, "", known, NULL)) != -1)
		result = read_option(option, argv, options, address, metrics);
	if (result == CLI_DONE && optind < argc)
		return cli_usage("serve", "unexpected argument \"%s\"", argv[optind]);
	return result;
}

/*
 * The folder of the built page beside this program, as installed or as ./run leaves it. False:
 * there is none.
 */
static bool find_web(char folder[PATH_MAX])
{
	static const char *const places[] = {"../share/komadai/web", "../../../web"};
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	while (length > 0 && program[length - 1] != '/')
		length--;
	for (size_t i = 0; length > 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		char page[PATH_MAX];
		int written = snprintf(
			page, sizeof(page), "%.*s%s/index.html", (int)length, program, places[i]);

		if (written < (int)sizeof(page) && access(page, R_OK) == 0) {
			snprintf(folder, PATH_MAX, "%.*s", written - (int)strlen("/index.html"),
				page);
			return true;
		}
	}
	return false;
}

int command_serve(int argc, char **argv)
{
	char address[ADDRESS_BYTES] = "127.0.0.1";
	char metrics[ADDRESS_BYTES];
	char web[PATH_MAX];
	struct server_options options = {
		.games = cli_games,
		.address = address,
		.port = 8080,
		.data = cli_data_default,
	};
	int result;

	for (size_t i = 0; i < NUMBER_COUNT; i++)
		set_number(&options, i, numbers[i].by_default);
	result = read_options(argc, argv, &options, address, metrics);
	if (result != CLI_DONE)
		return result;
	if (!options.web && find_web(web))
		options.web = web;
	return server_run(&options) ? CLI_DONE : CLI_REFUSED;
}
