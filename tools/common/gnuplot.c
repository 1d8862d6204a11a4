/* SPDX-License-Identifier: Apache-2.0 */
/* gnuplot.c: runs gnuplot in a pipe (see gnuplot.h). */
#include "tools/common/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *gnuplot_open(struct gnuplot *gp, const char *path)
{
	if (strchr(path, '\''))
		return "gnuplot takes no names with '";
	if (snprintf(gp->path, sizeof(gp->path), "%s", path) >=
	    (int)sizeof(gp->path))
		return strerror(ENAMETOOLONG);
	snprintf(gp->tmp, sizeof(gp->tmp), "%s.tmp", path);
	gp->script = popen("exec gnuplot", "we");
	return gp->script ? NULL : strerror(errno);
}

/* gnuplot does not report a full disk: returns whether the file ends as an SVG
 * or a PNG does. */
static int is_whole(const char *path)
{
	FILE *f = fopen(path, "re");
	char end[16] = "";
	int whole = f && !fseek(f, -12, SEEK_END) && fread(end, 1, 12, f) &&
		    (strstr(end, "</svg>") || !memcmp(end + 4, "IEND", 4));

	if (f)
		fclose(f);
	return whole;
}

const char *gnuplot_close(struct gnuplot *gp)
{
	int status = pclose(gp->script), cut = !status && !is_whole(gp->tmp);

	if (status == 0 && !cut && !rename(gp->tmp, gp->path))
		return NULL;
	unlink(gp->tmp);
	if (cut)
		return "the picture is not whole; is the disk full?";
	return WEXITSTATUS(status) == 127
		   ? "needs gnuplot (package gnuplot-nox)"
		   : "gnuplot has failed";
}

double gnuplot_crossing(const double x[2], const double a[2], const double b[2])
{
	double d0 = log(a[0] / b[0]), d1 = log(a[1] / b[1]);

	if (!isfinite(d0) || !isfinite(d1) || d1 <= d0)
		return x[1];
	return x[0] * pow(x[1] / x[0], fmin(1, fmax(0, -d0 / (d1 - d0))));
}

void gnuplot_mark(FILE *script, double x, const struct gnuplot_mark *mark)
{
	fprintf(script,
		"set arrow from first %g, graph 0 to first %g, graph 1 "
		"nohead dt %d lc rgb '%s'\n"
		"set label '%s' at first %g, graph %g %s rotate by 90 "
		"offset 0.7,0 font ',9' tc rgb '%s' noenhanced front\n",
		x, x, mark->dash, mark->colour, mark->name, x, mark->y,
		mark->y < 0.5 ? "left" : "right", mark->colour);
}
