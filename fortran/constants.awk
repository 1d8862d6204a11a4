# SPDX-License-Identifier: Apache-2.0
# constants.awk: writes the constants of mpi.h in Fortran, from its #define
# lines, in lines that are right in fixed and in free form. With f08=1 handles
# are of their types; otherwise, and with what=mpif, they are INTEGERs.
#	awk -v f08=0 -f constants.awk mpi.h

function constant(type, name, value) {
	print "      " type " " name
	print "      parameter (" name "=" value ")"
}

function number(hex,	k, n) {
	hex = tolower(substr(hex, 3))
	for (k = 1; k <= length(hex); k++)
		n = n * 16 + index("0123456789abcdef", substr(hex, k, 1)) - 1
	return n
}

BEGIN {
	constant("integer", "MPI_ADDRESS_KIND", 8)
	constant("integer", "MPI_COUNT_KIND", 8)
	constant("integer", "MPI_OFFSET_KIND", 8)
	constant("integer", "MPI_INTEGER_KIND", "kind(0)")
	constant("integer", "MPI_SOURCE", 1)
	constant("integer", "MPI_TAG", 2)
	constant("integer", "MPI_ERROR", 3)
	constant("integer", "MPI_STATUS_SIZE", 8)
	constant("logical", "MPI_SUBARRAYS_SUPPORTED", \
	    f08 ? ".true." : ".false.")
	constant("logical", "MPI_ASYNC_PROTECTS_NONBLOCKING", \
	    f08 ? ".true." : ".false.")
}

$1 != "#define" || $2 ~ /^MPI_T_|\(/ { next }
# The rest of these is in the body of mpif.h, or not for Fortran.
$2 ~ /^MPI_(F_|DISPLACEMENT)/ { next }
$3 ~ /^\(\(MPI_[A-Z][a-z]*\)0x/ {
	type = $3
	sub(/^\(\(/, "", type)
	sub(/\).*/, "", type)
	match($3, /0x[0-9a-f]+/)
	value[$2] = number(substr($3, RSTART, RLENGTH))
	if (f08) {
		value[$2] = type "(" value[$2] ")"
		type = "type(" type ")"
	} else {
		type = "integer"
	}
	type_of[$2] = type
	constant(type, $2, value[$2])
	next
}
$3 in value {
	constant(type_of[$3], $2, value[$3])
	next
}
# Lengths of strings do not count a zero.
$2 ~ /^MPI_MAX_/ && $3 ~ /^[0-9]+$/ {
	constant("integer", $2, $3 - 1)
	next
}
$3 ~ /^(0x[0-9a-f]+|\(?-?[0-9]+\)?)$/ {
	gsub(/[()]/, "", $3)
	constant("integer", $2, $3 ~ /^0x/ ? number($3) : $3)
}

END {
	print "      integer(kind=8) MPI_DISPLACEMENT_CURRENT"
	print "      parameter (MPI_DISPLACEMENT_CURRENT=-1)"
}
