/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "server/server.h"

enum {
	ADDRESS_BYTES = 64,
	ORIGIN_BYTES = 200,
	ROOMS_MAX_DEFAULT = 10000,
	ROOMS_MAX_LIMIT = 1000000,
	REQUEST_SECONDS_DEFAULT = 60,
	REQUEST_SECONDS_LIMIT = 3600,
};

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

static int read_options(
	int argc, char **argv, struct server_options *options, char address[ADDRESS_BYTES])
{
	static const struct option known[] = {
		{"listen", required_argument, NULL, 'l'},
		{"data", required_argument, NULL, 'd'},
		{"public-url", required_argument, NULL, 'p'},
		{"web", required_argument, NULL, 'w'},
		{"rooms-max", required_argument, NULL, 'm'},
		{"request-seconds", required_argument, NULL, 'r'},
		{0},
	};
	int option;
	long number;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'l':
			if (!read_listen(optarg, address, &options->port))
				return cli_usage("serve",
					"--listen must be ADDRESS:PORT, the address in numbers, as "
					"127.0.0.1:8080 or [::1]:8080, not \"%.80s\"",
					optarg);
			break;
		case 'd':
			options->data = optarg;
			break;
		case 'p':
			if (!is_origin(optarg))
				return cli_usage("serve",
					"--public-url must be like https://games.example, not "
					"\"%s\"",
					optarg);
			options->public_url = optarg;
			break;
		case 'w':
			options->web = optarg;
			break;
		case 'm':
			if (!cli_read_number(optarg, 1, ROOMS_MAX_LIMIT, &number))
				return cli_usage("serve",
					"--rooms-max must be a whole number from 1 to %d, not "
					"\"%s\"",
					ROOMS_MAX_LIMIT, optarg);
			options->rooms_max = (size_t)number;
			break;
		case 'r':
			if (!cli_read_number(optarg, 1, REQUEST_SECONDS_LIMIT, &number))
				return cli_usage("serve",
					"--request-seconds must be a whole number from 1 to %d, "
					"not \"%s\"",
					REQUEST_SECONDS_LIMIT, optarg);
			options->request_seconds = (unsigned)number;
			break;
		default:
			return cli_usage_option("serve", argv);
		}
	}
	if (optind < argc)
		return cli_usage("serve", "unexpected argument \"%s\"", argv[optind]);
	return CLI_DONE;
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
	char web[PATH_MAX];
	struct server_options options = {
		.games = cli_games,
		.address = address,
		.port = 8080,
		.data = cli_data_default,
		.rooms_max = ROOMS_MAX_DEFAULT,
		.request_seconds = REQUEST_SECONDS_DEFAULT,
	};
	int result = read_options(argc, argv, &options, address);

	if (result != CLI_DONE)
		return result;
	if (!options.web && find_web(web))
		options.web = web;
	if (!options.web)
		fputs("komadai serve: the built page is not beside this program, so there is the "
		      "interface only; --web names its folder\n",
			stderr);
	return server_run(&options) ? CLI_DONE : CLI_REFUSED;
}
