# SPDX-License-Identifier: Apache-2.0
# links.awk: reads pages of the manual and prints, a line for each, the names
# that their NAME sections have besides that of the file: NAME.SECTION PAGE.
# With -v out=FOLDER it writes these links as pages there instead.

FNR == 1 {
	page = FILENAME
	sub(/.*\//, "", page)
	section = page
	sub(/.*\./, "", section)
	on = 0
}

/^\.Sh / { on = $2 == "NAME" }

on && /^\.Nm / && (link = $2 "." section) != page {
	if (out == "") {
		print link, page
	} else {
		print ".so man" section "/" page >(out "/" link)
		close(out "/" link)
	}
}
