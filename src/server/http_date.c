/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <time.h>

#include "server/http_internal.h"

/* Not by strftime, whose names follow the locale. */
void http_date_write(int64_t second, char date[static 30])
{
	static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[12][4] = {
		"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	time_t moment = (time_t)second;
	struct tm utc;

	gmtime_r(&moment, &utc);
	/* The year has four digits until 9999; the remainder is what the compiler can see of that.
	 */
	(void)snprintf(date, 30, "%s, %02u %s %04u %02u:%02u:%02u GMT", days[utc.tm_wday],
		(unsigned)utc.tm_mday % 100, months[utc.tm_mon],
		((unsigned)utc.tm_year + 1900) % 10000, (unsigned)utc.tm_hour % 100,
		(unsigned)utc.tm_min % 100, (unsigned)utc.tm_sec % 100);
}
