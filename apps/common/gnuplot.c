/* SPDX-License-Identifier: Apache-2.0 */
/* gnuplot.c: pictures (see gnuplot.h). */
#include "apps/common/gnuplot.h"

#include <errno.h>
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

const char *gnuplot_close(struct gnuplot *gp)
{
	int status = pclose(gp->script);

	if (status == 0 && !rename(gp->tmp, gp->path))
		return NULL;
	unlink(gp->tmp);
	return WEXITSTATUS(status) == 127
		   ? "needs gnuplot (package gnuplot-nox)"
		   : "gnuplot has failed";
}
