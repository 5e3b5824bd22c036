/* SPDX-License-Identifier: MIT */
#include "server/assets.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "server/table.h"

enum {
	ASSET_BYTES_MAX = 64 << 20,
	ASSET_PATH = 256,
	ETAG_RAW = 16,
};

struct asset {
	char path[ASSET_PATH]; /* "/assets/x.js" */
	const char *type;
	char *data;
	size_t length;
	char etag[2 * ETAG_RAW + 3];
	UT_hash_handle hh;
};

struct assets {
	struct asset *files;
	struct asset *page;
};

static const struct {
	const char *suffix;
	const char *type;
} types[] = {
	{".html", "text/html; charset=utf-8"},
	{".js", "text/javascript; charset=utf-8"},
	{".css", "text/css; charset=utf-8"},
	{".svg", "image/svg+xml"},
	{".png", "image/png"},
	{".ico", "image/x-icon"},
	{".woff2", "font/woff2"},
	{".wasm", "application/wasm"},
	{".json", "application/json"},
	{".webmanifest", "application/manifest+json"},
	{".txt", "text/plain; charset=utf-8"},
};

/* The page runs its own scripts and wasm, talks to its own server, and nothing else. */
static const char content_policy[] =
	"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
	"img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; "
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* It asks for none of these. The clipboard it does: the invitation is copied there. */
static const char permissions_policy[] =
	"accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
	"magnetometer=(), microphone=(), midi=(), payment=(), usb=()";

static const char *type_of(const char *path)
{
	const char *suffix = strrchr(path, '.');

	for (size_t i = 0; suffix && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].suffix, suffix) == 0)
			return types[i].type;
	return "application/octet-stream";
}

static bool read_file(const char *name, struct asset *asset)
{
	FILE *in = fopen(name, "rb");
	long size;
	bool done = false;

	if (!in)
		return false;
	if (fseek(in, 0, SEEK_END) == 0 && (size = ftell(in)) >= 0 && size <= ASSET_BYTES_MAX &&
		fseek(in, 0, SEEK_SET) == 0) {
		asset->length = (size_t)size;
		asset->data = malloc(asset->length + 1);
		done = asset->data && fread(asset->data, 1, asset->length, in) == asset->length;
	}
	fclose(in);
	return done;
}

static void write_etag(struct asset *asset)
{
	unsigned char hash[ETAG_RAW];
	char hex[2 * ETAG_RAW + 1];

	crypto_generichash(
		hash, sizeof(hash), (const unsigned char *)asset->data, asset->length, NULL, 0);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	snprintf(asset->etag, sizeof(asset->etag), "\"%s\"", hex);
}

static enum status add_file(struct assets *assets, const char *name, size_t prefix, char *problem)
{
	struct asset *asset = calloc(1, sizeof(*asset));

	if (!asset || strlen(name + prefix) >= sizeof(asset->path) || !read_file(name, asset)) {
		snprintf(problem, HTTP_PROBLEM_BYTES, "%.200s cannot be read", name);
		if (asset)
			free(asset->data);
		free(asset);
		return STATUS_STORE_READ;
	}
	strcpy(asset->path, name + prefix);
	asset->type = type_of(asset->path);
	write_etag(asset);
	HASH_ADD_STR(assets->files, path, asset);
	return STATUS_OK;
}

/* Adds every regular file below `folder`; links are not followed. */
static enum status add_folder(struct assets *assets, char *folder, size_t prefix, char *problem)
{
	char *const roots[] = {folder, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	enum status status = STATUS_OK;
	FTSENT *entry;

	while (walk && status == STATUS_OK && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_F) {
			status = add_file(assets, entry->fts_path, prefix, problem);
		} else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR ||
			   entry->fts_info == FTS_NS) {
			snprintf(problem, HTTP_PROBLEM_BYTES, "%.200s: %s", entry->fts_path,
				strerror(entry->fts_errno));
			status = STATUS_STORE_READ;
		}
	}
	if (!walk) {
		snprintf(problem, HTTP_PROBLEM_BYTES, "%.200s: %s", folder, strerror(errno));
		return STATUS_STORE_READ;
	}
	fts_close(walk);
	return status;
}

enum status assets_load(const char *folder, struct assets **assets, char *problem)
{
	struct assets *made = calloc(1, sizeof(*made));
	char *root = strdup(folder);
	enum status status = STATUS_NO_MEMORY;
	size_t length;

	if (!made || !root) {
		snprintf(problem, HTTP_PROBLEM_BYTES, "%s", status_text(status));
		goto fail;
	}
	for (length = strlen(root); length > 1 && root[length - 1] == '/'; length--)
		root[length - 1] = 0;
	status = add_folder(made, root, length, problem);
	if (status != STATUS_OK)
		goto fail;
	HASH_FIND_STR(made->files, "/index.html", made->page);
	if (!made->page) {
		snprintf(problem, HTTP_PROBLEM_BYTES, "%.200s has no index.html", folder);
		status = STATUS_STORE_READ;
		goto fail;
	}
	free(root);
	*assets = made;
	return STATUS_OK;
fail:
	free(root);
	assets_destroy(made);
	return status;
}

void assets_destroy(struct assets *assets)
{
	struct asset *asset;
	struct asset *next;

	if (!assets)
		return;
	HASH_ITER(hh, assets->files, asset, next)
	{
		HASH_DEL(assets->files, asset);
		free(asset->data);
		free(asset);
	}
	free(assets);
}

/*
 * Whether the client has this version: its tag is one of the field's list, with or without the W/
 * that a proxy which compresses puts before it (RFC 9110, 13.1.2). A tag holds no quotation mark
 * but its own, so wherever it is found it is a whole one.
 */
static bool is_known(const struct asset *asset, const struct http_request *request)
{
	struct http_slice tags = http_find_field(request, "If-None-Match");
	size_t length = strlen(asset->etag);

	for (size_t i = 0; i + length <= tags.length; i++)
		if (memcmp(tags.data + i, asset->etag, length) == 0)
			return true;
	return false;
}

static void asset_answer(const struct asset *asset, struct http_exchange *exchange,
	const struct http_request *request, int code)
{
	bool hashed = strncmp(asset->path, "/assets/", 8) == 0;
	const struct http_header headers[] = {
		{"Content-Type", asset->type},
		{"ETag", asset->etag},
		/* Names below /assets/ hold a hash of their content. */
		{"Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache"},
		{"Content-Security-Policy", content_policy},
		{"Permissions-Policy", permissions_policy},
		{"Cross-Origin-Opener-Policy", "same-origin"},
	};
	size_t count = sizeof(headers) / sizeof(headers[0]);

	if (code == 200 && is_known(asset, request))
		http_reply(exchange, 304, headers, count, "", 0);
	else
		http_reply_static(exchange, code, headers, count, asset->data, asset->length);
}

bool assets_answer(const struct assets *assets, struct http_exchange *exchange,
	const struct http_request *request)
{
	struct asset *asset;

	HASH_FIND(hh, assets->files, request->path.data, request->path.length, asset);
	if (!asset || asset == assets->page)
		return false;
	asset_answer(asset, exchange, request, 200);
	return true;
}

void assets_answer_page(const struct assets *assets, struct http_exchange *exchange,
	const struct http_request *request, int code)
{
	asset_answer(assets->page, exchange, request, code);
}
