/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_find.c: finds a fabric's file by its name (see fabric_file.h). */
#include "config.h"

#include "tools/scale/fabric_file.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"
#include "tools/scale/study.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Finds the folder of libmrt's fabrics: in the source tree for a program in its
 * build tree; in the prefix that the program is in, even if that was moved; or
 * where it was to be installed.
 */
static void find_folder(char folder[STUDY_PATH])
{
	static const char *const ways[] = {"tools/scale/fabrics",
					   /* libtool's program is in .libs */
					   "../tools/scale/fabrics",
					   "../share/" PACKAGE "/fabrics"};
	char self[STUDY_FOLDER];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	for (int k = 0; slash && k < 3; k++) {
		slash[1] = '\0';
		snprintf(folder, STUDY_PATH, "%s%s", self, ways[k]);
		if (!access(folder, R_OK))
			return;
	}
	snprintf(folder, STUDY_PATH, "%s", FABRICS);
}

static int is_fabric(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && dot != entry->d_name && !strcmp(dot, ".json");
}

/* Prints which fabrics exist. */
static int fabric_find_unknown(const char *name, const char *folder)
{
	struct dirent **found = NULL;
	int n = scandir(folder, &found, is_fabric, alphasort);
	char list[1024] = "";
	size_t used = 0;

	for (int k = 0; k < n; k++) {
		*strrchr(found[k]->d_name, '.') = '\0';
		if (used < sizeof(list))
			used += (size_t)snprintf(
			    list + used, sizeof(list) - used, "%s%s",
			    k ? ", " : "", found[k]->d_name);
		free(found[k]);
	}
	free(found);
	return scale_error(APP_NOINPUT,
			   "%s: unknown fabric: neither a file nor one of "
			   "those in %s: %s",
			   name, folder, n > 0 ? list : "none");
}

/* Moves what follows the last + of a path, unless that is a file, to profile.
 */
static void split_profile(char path[STUDY_PATH], char profile[STUDY_NAME])
{
	char *plus = strrchr(path, '+');

	*profile = '\0';
	if (!plus || strchr(plus, '/') || !access(path, F_OK))
		return;
	snprintf(profile, STUDY_NAME, "%s", plus + 1);
	*plus = '\0';
}

int fabric_find(char path[STUDY_PATH], const char *name,
		char profile[STUDY_NAME])
{
	char folder[STUDY_PATH], plain[STUDY_PATH];
	struct stat file;

	/* a folder may have that name: simulate -f hdr -o hdr */
	snprintf(plain, sizeof(plain), "%s", name);
	split_profile(plain, profile);
	name = plain;
	snprintf(path, STUDY_PATH, "%s", name);
	if (strchr(name, '/') || (!stat(name, &file) && !S_ISDIR(file.st_mode)))
		return 0;
	find_folder(folder);
	if (snprintf(path, STUDY_PATH, "%s/%s.json", folder, name) <
		STUDY_PATH &&
	    !access(path, F_OK))
		return 0;
	return fabric_find_unknown(name, folder);
}
