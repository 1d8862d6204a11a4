/* SPDX-License-Identifier: Apache-2.0 */
/* study.c: writes the folder of a study and its files (see study.h);
 * study_read.c reads them. */
#include "tools/scale/study.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int study_fail(const char *path)
{
	return scale_error(APP_CANTCREAT, "%s: %s", path, strerror(errno));
}

int study_open_file(struct study_file *file, const char *path)
{
	file->f = NULL;
	if (snprintf(file->path, STUDY_PATH, "%s", path) >= STUDY_PATH ||
	    snprintf(file->tmp, STUDY_PATH, "%s.%d.tmp", path, getpid()) >=
		STUDY_PATH)
		errno = ENAMETOOLONG;
	else
		file->f = fopen(file->tmp, "we");
	return file->f ? 0 : (study_fail(path), -1);
}

/* Syncs a folder: only then are the names in it on the disk. */
static int sync_folder(const char *path)
{
	char folder[STUDY_PATH];
	char *slash;
	int fd, bad;

	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	snprintf(slash ? slash + 1 : folder, 2, "%s", slash ? "" : ".");
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	bad = fsync(fd);
	close(fd);
	/* some file systems cannot sync folders */
	return bad && errno != EINVAL ? -1 : 0;
}

int study_commit(struct study_file *file)
{
	int bad = ferror(file->f) || fflush(file->f) || fsync(fileno(file->f));

	bad |= fclose(file->f) != 0;
	if (!bad && !rename(file->tmp, file->path) && !sync_folder(file->path))
		return 0;
	study_fail(file->path);
	unlink(file->tmp);
	return -1;
}

int study_write_json(const char *path, json_t *o)
{
	struct study_file file;
	int code = APP_CANTCREAT;

	if (!o)
		return scale_error(APP_RESOURCE, "%s: no memory", path);
	if (!study_open_file(&file, path)) {
		json_dumpf(o, file.f, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
		fputc('\n', file.f);
		code = study_commit(&file) ? APP_CANTCREAT : 0;
	}
	json_decref(o);
	return code;
}

static int make_folder(const char *path)
{
	struct stat st;

	if (!mkdir(path, 0777))
		return 0;
	if (errno == EEXIST && !stat(path, &st) && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	return errno == EEXIST ? 0 : study_fail(path);
}

int study_create(const char *path, int simulated)
{
	char name[STUDY_PATH];
	int code = make_folder(path);

	if (strlen(path) >= STUDY_FOLDER)
		return scale_error(APP_CANTCREAT, "%s: %s", path,
				   strerror(ENAMETOOLONG));
	snprintf(name, sizeof(name), "%s/points", path);
	code = code ? code : make_folder(name);
	snprintf(name, sizeof(name), "%s/jobs", path);
	code = code ? code : make_folder(name);
	snprintf(name, sizeof(name), "%s/study.json", path);
	if (code || !access(name, F_OK))
		return code;
	return study_write_json(name, json_pack("{s:s, s:i, s:b}", "format",
						"libmrt-study", "version", 1,
						"simulated", simulated));
}

static void point_path(char name[STUDY_PATH], const char *path,
		       const struct point *p)
{
	snprintf(name, STUDY_PATH, "%s/points/%s,%s,%d,%zu.csv", path, p->test,
		 p->way, p->ranks, p->bytes);
}

int study_has(const char *path, const struct point *p)
{
	char name[STUDY_PATH];

	point_path(name, path, p);
	return !access(name, F_OK);
}

int study_write(const char *path, const struct point *p)
{
	char name[STUDY_PATH];
	struct study_file file;

	point_path(name, path, p);
	if (study_open_file(&file, name))
		return APP_CANTCREAT;
	for (int i = 0; i < p->n; i++)
		fprintf(file.f, "%s,%s,%s,%d,%zu,%ld,%d,%d,%.6g,%s\n", p->test,
			p->way, p->chosen, p->ranks, p->bytes, p->calls, i + 1,
			p->n, p->us[i], p->job);
	return study_commit(&file) ? APP_CANTCREAT : 0;
}
