/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* What a process uses, as the system counts it. Each ends the program where it cannot be read. */

struct probe_memory {
	uint64_t pss; /* bytes, shared pages by their share */
	uint64_t rss;
};

struct probe_memory probe_memory(pid_t process);

/* Microseconds of processor time so far, of all its threads; in steps of 10 ms. */
uint64_t probe_processor(pid_t process);

/* Microseconds that all processors of this system together have worked so far; in steps of 10 ms.
 */
struct probe_machine {
	uint64_t busy;   /* for any process, or for the system */
	uint64_t stolen; /* for others than this system, by the machine that it is a guest of */
};

struct probe_machine probe_machine(void);

/* Bytes that it has made the disk write so far. */
uint64_t probe_written(pid_t process);

/* Its open descriptors. */
uint64_t probe_descriptors(pid_t process);

/* Bytes that all TCP sockets of this system hold in their buffers. */
uint64_t probe_tcp_buffers(void);

/* Of these, what the receiving half of our own socket holds. */
uint64_t probe_receive_buffer(int fd);
