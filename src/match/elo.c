/* SPDX-License-Identifier: MIT */
#include "match/elo.h"

#include <math.h>
#include <stdio.h>

/* The 97.5 % quantile of the normal distribution. */
static const double quantile = 1.959963985;

static double elo_of_score(double score)
{
	if (score <= 0)
		return -INFINITY;
	if (score >= 1)
		return INFINITY;
	return -400 * log10(1 / score - 1);
}

static double square(double x)
{
	return x * x;
}

struct elo elo_estimate(const struct tally *tally)
{
	double games = tally->wins + tally->draws + tally->losses;
	double score;
	double variance;
	double reach;

	if (games == 0)
		return (struct elo){0, -INFINITY, INFINITY};
	score = (tally->wins + tally->draws / 2.0) / games;
	variance = (tally->wins * square(1 - score) + tally->draws * square(0.5 - score) +
			   tally->losses * square(score)) /
		   games;
	reach = quantile * sqrt(variance / games);
	return (struct elo){
		elo_of_score(score), elo_of_score(score - reach), elo_of_score(score + reach)};
}

/* One decimal; "inf" and "-inf", which no "-0.0" goes with. */
static void add_figure(struct text *text, double figure)
{
	char digits[32];

	if (isinf(figure)) {
		text_add(text, figure < 0 ? "-inf" : "inf");
		return;
	}
	snprintf(digits, sizeof(digits), "%.1f", fabs(figure) < 0.05 ? 0.0 : figure);
	text_add(text, digits);
}

void elo_write(const struct tally *tally, struct text *text)
{
	struct elo elo = elo_estimate(tally);
	bool bounded = isfinite(elo.low) && isfinite(elo.high);

	text_add(text, "elo ");
	add_figure(text, elo.difference);
	text_add(text, " +- ");
	add_figure(text, bounded ? (elo.high - elo.low) / 2 : INFINITY);
	text_add(text, " [");
	add_figure(text, elo.low);
	text_add(text, ", ");
	add_figure(text, elo.high);
	text_add(text, "] wins ");
	text_add_number(text, tally->wins);
	text_add(text, " draws ");
	text_add_number(text, tally->draws);
	text_add(text, " losses ");
	text_add_number(text, tally->losses);
	text_add(text, " games ");
	text_add_number(text, (int64_t)tally->wins + tally->draws + tally->losses);
}
