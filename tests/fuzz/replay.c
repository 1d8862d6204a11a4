/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.c runs a target over kept inputs: those of the named file, one per
 * line in hexadecimal, or those that a crash left (--raw FILE..). --pack FILE..
 * prints such lines.
 */
#include <ctype.h>

#include "tests/fuzz/input.h"
#include "tests/tap.h"

enum { LONGEST = 1 << 16 };

static int pack(int n, char **files)
{
	for (int i = 0; i < n; i++) {
		FILE *f = fopen(files[i], "rb");
		int c;

		if (!f)
			return 1;
		while ((c = getc(f)) != EOF)
			printf("%02x", (unsigned)c);
		printf("\n");
		fclose(f);
	}
	return 0;
}

/* Runs an input in memory of exactly its size, whose end a sanitizer guards. */
static void try(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n + !n);

	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

static size_t unhex(const char *line, uint8_t *bytes)
{
	size_t n = 0;
	unsigned byte;

	for (; n < LONGEST && sscanf(line, "%2x", &byte) == 1; line += 2)
		bytes[n++] = (uint8_t)byte;
	return n;
}

static int raw(int n, char **files)
{
	static uint8_t bytes[LONGEST];

	for (int i = 0; i < n; i++) {
		FILE *f = fopen(files[i], "rb");

		if (!f)
			return 1;
		try(bytes, fread(bytes, 1, sizeof(bytes), f));
		fclose(f);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static char line[2 * LONGEST + 2];
	static uint8_t bytes[LONGEST];
	const char *top = getenv("top_srcdir");
	const char *name =
	    strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	char path[512];
	int n = 0;
	FILE *f;

	if (argc > 2 && !strcmp(argv[1], "--pack"))
		return pack(argc - 2, argv + 2);
	LLVMFuzzerInitialize(&argc, &argv);
	if (argc > 2 && !strcmp(argv[1], "--raw"))
		return raw(argc - 2, argv + 2);
	if (!strncmp(name, "lt-", 3))
		name += 3;
	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", top ? top : ".",
		 name);
	f = fopen(argc > 1 ? argv[1] : path, "r");
	for (; f && fgets(line, sizeof(line), f); n++) {
		printf("# line %d\n", n + 1);
		fflush(stdout);
		try(bytes, unhex(line, bytes));
	}
	ok(f != NULL && n > 0, "%s: %d inputs that are kept", name, n);
	if (f)
		fclose(f);
	return tap_done();
}
