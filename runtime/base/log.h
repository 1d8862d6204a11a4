/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.h: writes one line per event to stderr:
 *   libmrt[rank/size host pid] CODE: what, which peer or step, what to do
 * Whoever detects an error logs it once; callers pass the code on. Any thread.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stddef.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Sets who this process is in the prefix; a rank < 0 is unknown. */
void log_identify(int rank, int size, const char *host);

/* Writes the prefix without its blank, and returns its length. */
int log_name(char *text, size_t len);

void log_line(enum log_level level, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define log_warn(...) log_line(LOG_WARN, 0, __VA_ARGS__)
#define log_info(...) log_line(LOG_INFO, 0, __VA_ARGS__)
#define log_debug(...) log_line(LOG_DEBUG, 0, __VA_ARGS__)

/* Logs an error and returns its code: `return log_error(MRT_ERR_X, ...)`. */
#define log_error(code, ...) (log_line(LOG_ERROR, (code), __VA_ARGS__), (code))

/* Returns the text of the last error that this thread has logged, or "". */
const char *log_last_error(void);
#endif
