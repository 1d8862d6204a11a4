# SPDX-License-Identifier: Apache-2.0
# files.awk: writes, of the declarations in mpi_prototypes.h, what lies between the
# functions on files and ROMIO. part says what:
#	struct	mpi_files.h: a pointer to each function of ROMIO, for large counts
#		where it has any
#	forward	files.c: the functions of MPI that check their arguments and call one
#	table	romio_table.c: the pointers, and functions that turn counts to ROMIO's
#	names	romio_names.h: the names that ROMIO is compiled with

function is_file(name)
{
	return name ~ /^(File|Register)_/
}

# Tells whether mpi_files.c defines the function.
function is_own(name)
{
	return name ~ /^(File_(open|close|delete|get_amode)|Register_datarep)(_c)?$/
}

# Tells whether ROMIO calls the function in romio/, and not in libmpi_abi.
function is_replaced(name)
{
	return is_file(name) || name ~ /^(Type_get_(envelope|contents)|Grequest_complete)$/
}

# Tells whether the function works without ROMIO.
function is_other(name)
{
	return name ~ /_errhandler$|_toint$|_fromint$/
}

# Splits the parameters of a function into type[] and arg[], n of them.
function split_up(name,	k, parts)
{
	n = split(substr(params[name], 2, length(params[name]) - 2), parts, /,/)
	for (k = 1; k <= n; k++) {
		match(parts[k], /[A-Za-z0-9_]+ *$/)
		arg[k] = substr(parts[k], RSTART)
		type[k] = substr(parts[k], 1, RSTART - 1)
		gsub(/^ +| +$/, "", type[k])
		gsub(/ +/, " ", type[k])
	}
}

# Returns the arguments as a call lists them, with `first` in place of the first, if
# it is given, and `of` before a count.
function arguments(first, of,	k, list)
{
	for (k = 1; k <= n; k++)
		list = list (k > 1 ? ", " : "") (k == 1 && first != "" ? first \
			: (type[k] == "MPI_Count" ? of : "") arg[k])
	return list
}

# Returns an expression that checks the arguments of a function on a file.
function checks(	k, text)
{
	for (k = 2; k <= n; k++)
		if (type[k] ~ /^(MPI_[A-Za-z]+|int|char) \*$/ && type[k] !~ /Status/)
			text = text "\n\t     : !" arg[k] \
				" ? mpi_detailed(MPI_ERR_ARG, \"" arg[k] " is NULL\")"
	text = text "\n\t     : "
	for (k = 2; k <= n; k++)
		if (type[k] == "MPI_Datatype")
			text = text "mpi_file_type(" arg[k] ") ?: "
		else if (type[k] == "MPI_Info")
			text = text "mpi_info_check(" arg[k] ") ?: "
	return text "0"
}

# Returns the bytes that the function moves if it has this direction.
function moved(name, has_direction)
{
	return has_direction && has_count(name) ? "mpi_file_bytes(count, datatype)" : 0
}

function forward(name,	base)
{
	base = name
	sub(/_c$/, "", base)
	split_up(name)
	print "\nAPI(" name ")" params[name] "\n{"
	print "\tstruct mpi_file *file = mpi_file_enter(fh, \"MPI_" base "\", " \
		moved(name, name ~ /read/) ", " moved(name, name ~ /write/) ");"
	print "\tint rc = !file ? mpi_detailed(MPI_ERR_FILE, mpi_no_file)" checks() ";\n"
	print "\tif (!rc)\n\t\trc = mpi_file_told(file, mpi_files->" base "(" \
		arguments("file->romio", "") "));"
	print "\treturn mpi_file_leave(file, __func__, rc);\n}"
}

# Returns the name of the form for large counts, if there is one.
function large(name)
{
	return params[name "_c"] ~ /MPI_Count/ ? name "_c" : name
}

function pointer(name)
{
	print "\tint (*" name ")" params[large(name)] ";"
}

# Tells whether all ranks of a file have to call it.
function is_collective(name)
{
	return name ~ /_all|_ordered|File_set_|preallocate|sync|close|seek_shared/
}

function has_count(name)
{
	return params[large(name)] ~ /MPI_Count count/
}

# Tells whether the table has a function of ours that calls ROMIO's.
function is_wrapped(name)
{
	return name ~ /^File_/ && !is_other(name) && name != "File_open" &&
		(has_count(name) || is_collective(name))
}

# Prints a function of the table: it takes large counts where ROMIO does not, and
# waits for its turn if it is collective.
function table_function(name,	call)
{
	print "int romio_" name params[name] ";"
	split_up(large(name))
	if (!is_wrapped(name))
		return
	call = "romio_" name "(" arguments("", "(int)") ")"
	print "static int table_" name params[large(name)] "\n{"
	if (has_count(name))
		print "\tMPI_Datatype whole = romio_whole(&count, &datatype);\n"
	if (is_collective(name))
		print "\tromio_turn(" (name == "File_close" ? "*" : "") "fh);"
	if (name ~ /File_i/)
		print "\tromio_starts(fh, " is_collective(name) ");"
	print "\treturn " (has_count(name) ? "romio_whole_end(whole, " \
		(name ~ /File_i|_begin$/) ",\n\t\t" call ")" : call) ";\n}"
}

function table_entry(name)
{
	return name == "File_open" ? "romio_open" \
		: is_wrapped(name) ? "table_" name : "romio_" name
}

/^MPI_DECLARE_\(/ {
	sub(/^MPI_DECLARE_\([^,]*, /, "")
	name = substr($0, 1, index($0, ",") - 1)
	params[name] = substr($0, index($0, "("))
	sub(/\)$/, "", params[name])
	gsub(/\( +/, "(", params[name])
	order[++count] = name
}

END {
	print "/* Written by files.awk. */"
	if (part == "struct") {
		print "#ifndef MPI_MPI_FILES_H\n#define MPI_MPI_FILES_H\n#include <mpi.h>"
		print "struct mpi_files {\n\t/* the cause of the last error, or \"\" */"
		print "\tconst char *(*why)(void);"
		print "\t/* ROMIO\047s handle of the file whose request has failed in this"
		print "\t * thread\047s last call, or NULL */"
		print "\tMPI_File (*failed)(void);"
	}
	if (part == "forward")
		print "#include \"mpi/mpi_file.h\"\n#include \"mpi/mpi_impl.h\""
	if (part == "table")
		print "#include \"mpi/mpi_files.h\"\n#include \"romio/romio.h\""
	if (part == "names")
		print "#include <mpi.h>"
	for (k = 1; k <= count; k++) {
		name = order[k]
		if (part == "names") {
			print "#define MPI_" name (is_replaced(name) ? " romio_" : " PMPI_") name
			if (is_replaced(name))
				print "#define PMPI_" name " romio_" name
		}
		if (part == "names" || !is_file(name) || is_other(name))
			continue
		if (part == "forward" && !is_own(name))
			forward(name)
		if (part == "forward" || name ~ /_c$/)
			continue
		if (part == "struct")
			pointer(name)
		if (part == "table") {
			table_function(name)
			entries = entries "\t." name " = " table_entry(name) ",\n"
		}
	}
	if (part == "struct")
		print "};\n#endif"
	if (part == "table")
		print "\nextern const struct mpi_files mrt_romio_files\n" \
			"\t__attribute__((visibility(\"default\")));\n" \
			"const struct mpi_files mrt_romio_files = {\n" \
			"\t.why = romio_why,\n\t.failed = romio_failed,\n" entries "};"
}
