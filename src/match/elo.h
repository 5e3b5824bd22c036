/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/text.h"

/* The results of one side. */
struct tally {
	unsigned wins;
	unsigned draws;
	unsigned losses;
};

/*
 * A difference in strength and its 95 % interval, in Elo. Infinite where the score, or an end of
 * its interval, reaches 0 or 1.
 *
 * With s the mean score of n games, a win 1 and a draw 1/2, the difference is -400 log10(1/s - 1):
 * A. Elo, "The Rating of Chessplayers, Past and Present", 1978, in its logistic form. The interval
 * is that of s by the normal approximation, s +- 1.96 sigma / sqrt(n), with sigma^2 the variance of
 * one game's score in the sample, each end put through the same formula. Games of a pair share an
 * opening, so the interval is, if anything, too wide; after few games, or near 0 and 1, it is
 * rough.
 */
struct elo {
	double difference;
	double low;
	double high;
};

struct elo elo_estimate(const struct tally *tally);

/* "elo X +- Y [LOW, HIGH] wins W draws D losses L games N": Y is half the interval, or "inf". */
void elo_write(const struct tally *tally, struct text *text);
