/* SPDX-License-Identifier: MIT */

/* Times as text: seconds with up to three decimals, alone or after hours and minutes. */

/* "12" or "1.5", in milliseconds; further decimals are cut. False: it is not that, or too long. */
static inline bool read_seconds(struct reader *reader, int64_t *milliseconds)
{
	int64_t seconds = 0;
	int64_t rest = 0;
	int64_t unit = 100;

	if (reader_peek(reader) < '0' || reader_peek(reader) > '9')
		return false;
	for (; reader_peek(reader) >= '0' && reader_peek(reader) <= '9'; reader->at++)
		if (__builtin_mul_overflow(seconds, 10, &seconds) ||
			__builtin_add_overflow(seconds, reader_peek(reader) - '0', &seconds))
			return false;
	if (reader_take(reader, '.')) {
		if (reader_peek(reader) < '0' || reader_peek(reader) > '9')
			return false;
		for (; reader_peek(reader) >= '0' && reader_peek(reader) <= '9'; reader->at++) {
			rest += (reader_peek(reader) - '0') * unit;
			unit /= 10;
		}
	}
	if (__builtin_mul_overflow(seconds, 1000, &seconds))
		return false;
	return !__builtin_add_overflow(seconds, rest, milliseconds);
}

/* "0:01:02.5", "1:02" or "62". */
static inline bool read_clock(struct reader *reader, int64_t *milliseconds)
{
	int64_t sum = 0;
	int parts = 0;

	do {
		int64_t part;

		if (parts++ == 3 || __builtin_mul_overflow(sum, 60, &sum) ||
			!read_seconds(reader, &part) || __builtin_add_overflow(sum, part, &sum))
			return false;
	} while (sum % 1000 == 0 && reader_take(reader, ':'));
	*milliseconds = sum;
	return true;
}

/* Thousandths, where there are any, as decimals without zeros at their end. */
static inline void write_decimals(int64_t milliseconds, struct text *text)
{
	int rest = (int)(milliseconds % 1000);

	if (rest)
		text_add_char(text, '.');
	for (int unit = 100; rest; unit /= 10) {
		text_add_char(text, (char)('0' + rest / unit));
		rest %= unit;
	}
}

static inline void write_seconds(int64_t milliseconds, struct text *text)
{
	text_add_number(text, milliseconds / 1000);
	write_decimals(milliseconds, text);
}

static inline void write_clock(int64_t milliseconds, struct text *text)
{
	int64_t seconds = milliseconds / 1000;
	int parts[] = {(int)(seconds / 60 % 60), (int)(seconds % 60)};

	text_add_number(text, seconds / 3600);
	for (int i = 0; i < 2; i++) {
		text_add_char(text, ':');
		text_add_char(text, (char)('0' + parts[i] / 10));
		text_add_char(text, (char)('0' + parts[i] % 10));
	}
	write_decimals(milliseconds, text);
}
