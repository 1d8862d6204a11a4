# SPDX-License-Identifier: Apache-2.0
# extra.awk: writes the interfaces of what functions.txt has not, or not as a
# routine with an error code, for the module mpi (f08=0) or mpi_f08 (f08=1).
# MPI_Sizeof takes a descriptor in both, which knows the size of an element.

function put(text) { print "      " text }

function conversion(p, name, from, from_type, to, to_type) {
	print "  interface " p "MPI_Status_" name
	print "    subroutine " p "MPI_Status_" name "_f08(" from ", " to \
	    ", ierror)"
	put("import")
	put(from_type ", intent(in) :: " from)
	put(to_type ", intent(out) :: " to)
	put("integer, optional, intent(out) :: ierror")
	print "    end subroutine"
	print "  end interface"
}

function sizeof(p) {
	print "  interface " p "MPI_Sizeof"
	print "    subroutine " p "MPI_Sizeof_f08ts(x, size, ierror) &"
	print "        bind(C, name=\"" tolower(p) "mpi_sizeof_f08ts_\")"
	put("type(*), dimension(..), intent(in) :: x")
	put("integer, intent(out) :: size")
	put("integer, optional, intent(out) :: ierror")
	print "    end subroutine"
	print "  end interface"
}

function sync(p) {
	print "  interface " p "MPI_F_sync_reg"
	if (f08) {
		print "    subroutine " p "MPI_F_sync_reg_f08ts(buf) &"
		print "        bind(C, name=\"" tolower(p) \
		    "mpi_f_sync_reg_f08ts_\")"
		put("type(*), dimension(..), target, asynchronous :: buf")
	} else {
		print "    subroutine " p "MPI_F_sync_reg(buf)"
		print "!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf"
		print "!DIR$ IGNORE_TKR buf"
		put("type(*), dimension(*), target :: buf")
	}
	print "    end subroutine"
	print "  end interface"
}

function aint(p, name, a, b) {
	print "    function " p name "(" a ", " b ")"
	put("import")
	put("integer(kind=MPI_ADDRESS_KIND), intent(in) :: " a ", " b)
	put("integer(kind=MPI_ADDRESS_KIND) :: " p name)
	print "    end function"
}

function all(p) {
	conversion(p, "f2f08", "f_status", \
	    "integer, dimension(MPI_STATUS_SIZE)", \
	    "f08_status", "type(MPI_Status)")
	conversion(p, "f082f", "f08_status", "type(MPI_Status)", \
	    "f_status", "integer, dimension(MPI_STATUS_SIZE)")
	sizeof(p)
	sync(p)
	print "  interface"
	aint(p, "MPI_Aint_add", "base", "disp")
	aint(p, "MPI_Aint_diff", "addr1", "addr2")
	print "    double precision function " p "MPI_Wtime()"
	print "    end function"
	print "    double precision function " p "MPI_Wtick()"
	print "    end function"
	print "  end interface"
}

BEGIN {
	all("")
	all("P")
}
