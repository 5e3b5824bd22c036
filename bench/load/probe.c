/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include <dirent.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net.h"

enum { TEXT_BYTES = 4096 };

static void read_file(const char *path, char text[TEXT_BYTES])
{
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(text, 1, TEXT_BYTES - 1, file) : 0;

	if (!file || !length)
		fail("%s cannot be read", path);
	text[length] = 0;
	fclose(file);
}

static void read_process_file(pid_t process, const char *name, char text[TEXT_BYTES])
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, name);
	read_file(path, text);
}

/* The number behind `name`. */
static uint64_t find_number(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	if (!at)
		fail("the system says nothing of \"%s\"", name);
	return strtoull(at + strlen(name), NULL, 10);
}

static uint64_t microseconds_of(uint64_t ticks)
{
	return ticks * 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

struct probe_memory probe_memory(pid_t process)
{
	char text[TEXT_BYTES];

	read_process_file(process, "smaps_rollup", text);
	return (struct probe_memory){
		.pss = 1024 * find_number(text, "\nPss:"),
		.rss = 1024 * find_number(text, "\nRss:"),
	};
}

uint64_t probe_processor(pid_t process)
{
	char text[TEXT_BYTES];
	unsigned long long user, system;
	const char *rest;

	read_process_file(process, "stat", text);
	/* The name of the program, in brackets, may hold anything: see proc(5). */
	rest = strrchr(text, ')');
	if (!rest || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
			     &system) != 2)
		fail("/proc/%d/stat cannot be read", (int)process);
	return microseconds_of(user + system);
}

struct probe_machine probe_machine(void)
{
	char text[TEXT_BYTES];
	unsigned long long user, nice, system, irq, softirq, steal;

	read_file("/proc/stat", text);
	/* Without the two that idle: see proc(5). */
	if (sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system, &irq,
		    &softirq, &steal) != 6)
		fail("/proc/stat cannot be read");
	return (struct probe_machine){
		.busy = microseconds_of(user + nice + system + irq + softirq),
		.stolen = microseconds_of(steal),
	};
}

uint64_t probe_written(pid_t process)
{
	char text[TEXT_BYTES];

	read_process_file(process, "io", text);
	return find_number(text, "\nwrite_bytes:");
}

uint64_t probe_descriptors(pid_t process)
{
	char path[64];
	uint64_t count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)process);
	folder = opendir(path);
	if (!folder)
		fail("%s cannot be read", path);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

uint64_t probe_tcp_buffers(void)
{
	char text[TEXT_BYTES];

	read_file("/proc/net/sockstat", text);
	return find_number(strstr(text, "TCP:") ? strstr(text, "TCP:") : text, " mem ") *
	       (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t probe_receive_buffer(int fd)
{
	uint32_t memory[SK_MEMINFO_VARS] = {0};
	socklen_t size = sizeof(memory);

	(void)getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &size);
	return memory[SK_MEMINFO_RMEM_ALLOC];
}
