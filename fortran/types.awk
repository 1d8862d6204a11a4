# SPDX-License-Identifier: Apache-2.0
# types.awk: writes the module mpi_f08_types: the types of handles, which hold
# the INTEGER of mpif.h, their comparison, and the type of a status.

function compare(name, sign,	k) {
	print "  interface operator(" sign ")"
	for (k = 1; k <= n; k++)
		print "    module procedure " tolower(type[k]) "_" name
	print "  end interface"
}

function bodies(name, sign,	k) {
	for (k = 1; k <= n; k++) {
		print "  elemental logical function " tolower(type[k]) "_" name \
		    "(a, b)"
		print "    type(MPI_" type[k] "), intent(in) :: a, b"
		print "    " tolower(type[k]) "_" name " = a%MPI_VAL " sign \
		    " b%MPI_VAL"
		print "  end function"
	}
}

BEGIN {
	n = split("Comm Datatype Errhandler File Group Info Message Op " \
	    "Request Session Win", type)
	print "! Written by types.awk."
	print "module mpi_f08_types"
	print "  implicit none"
	print "  private"
	print "  public :: operator(==), operator(/=), MPI_Status"
	for (k = 1; k <= n; k++)
		print "  public :: MPI_" type[k]
	for (k = 1; k <= n; k++) {
		print "  type, bind(C) :: MPI_" type[k]
		print "    integer :: MPI_VAL"
		print "  end type"
	}
	print "  type, bind(C) :: MPI_Status"
	print "    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR"
	print "    integer, private :: MPI_internal(5)"
	print "  end type"
	print "  ! What the library in C takes for the values of a LOGICAL."
	print "  logical, bind(C, name=\"mpi_fortran_true\") :: yes = .true."
	print "  logical, bind(C, name=\"mpi_fortran_false\") :: no = .false."
	compare("eq", "==")
	compare("ne", "/=")
	print "contains"
	bodies("eq", "==")
	bodies("ne", "/=")
	print "end module"
}
