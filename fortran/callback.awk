# SPDX-License-Identifier: Apache-2.0
# callback.awk: writes the abstract interfaces of the callbacks of mpi_f08, and
# the interfaces of the functions that MPI brings for them.

function put(text) { print "      " text }

function open_(name, arguments) {
	print "    subroutine " name "(" arguments ")"
	put("import")
}

function copy(name, Type, object) {
	open_(name, object ", keyval, extra_state, attribute_val_in, &\n" \
	    "        attribute_val_out, flag, ierror")
	put("type(MPI_" Type ") :: " object)
	put("integer :: keyval, ierror")
	put("integer(kind=MPI_ADDRESS_KIND) :: extra_state")
	put("integer(kind=MPI_ADDRESS_KIND) :: attribute_val_in")
	put("integer(kind=MPI_ADDRESS_KIND) :: attribute_val_out")
	put("logical :: flag")
	print "    end subroutine"
}

function delete_(name, Type, object) {
	open_(name, object ", keyval, attribute_val, extra_state, &\n" \
	    "        ierror")
	put("type(MPI_" Type ") :: " object)
	put("integer :: keyval, ierror")
	put("integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state")
	print "    end subroutine"
}

function user(name, integer) {
	open_(name, "invec, inoutvec, len, datatype")
	put("type(c_ptr), value :: invec, inoutvec")
	put(integer " :: len")
	put("type(MPI_Datatype) :: datatype")
	print "    end subroutine"
}

function handler(name, Type, object) {
	open_(name, object ", error_code")
	put("type(MPI_" Type ") :: " object)
	put("integer :: error_code")
	print "    end subroutine"
}

function conversion(name, integer) {
	open_(name, "userbuf, datatype, count, filebuf, position, &\n" \
	    "        extra_state, ierror")
	put("type(c_ptr), value :: userbuf, filebuf")
	put("type(MPI_Datatype) :: datatype")
	put(integer " :: count")
	put("integer :: ierror")
	put("integer(kind=MPI_OFFSET_KIND) :: position")
	put("integer(kind=MPI_ADDRESS_KIND) :: extra_state")
	print "    end subroutine"
}

function request(name, argument, type) {
	open_(name, "extra_state, " (argument ? argument ", " : "") "ierror")
	put("integer(kind=MPI_ADDRESS_KIND) :: extra_state")
	if (argument)
		put(type " :: " argument)
	put("integer :: ierror")
	print "    end subroutine"
}

BEGIN {
	n = split("Comm comm Type datatype Win win", kind)
	large = "integer(kind=MPI_COUNT_KIND)"
	print "  abstract interface"
	user("MPI_User_function", "integer")
	user("MPI_User_function_c", large)
	for (k = 1; k < n; k += 2) {
		type = kind[k] == "Type" ? "Datatype" : kind[k]
		copy("MPI_" kind[k] "_copy_attr_function", type, kind[k + 1])
		delete_("MPI_" kind[k] "_delete_attr_function", type, kind[k + 1])
	}
	handler("MPI_Comm_errhandler_function", "Comm", "comm")
	handler("MPI_File_errhandler_function", "File", "file")
	handler("MPI_Session_errhandler_function", "Session", "session")
	handler("MPI_Win_errhandler_function", "Win", "win")
	request("MPI_Grequest_query_function", "status", "type(MPI_Status)")
	request("MPI_Grequest_free_function")
	request("MPI_Grequest_cancel_function", "complete", "logical")
	conversion("MPI_Datarep_conversion_function", "integer")
	conversion("MPI_Datarep_conversion_function_c", large)
	open_("MPI_Datarep_extent_function", \
	    "datatype, extent, extra_state, ierror")
	put("type(MPI_Datatype) :: datatype")
	put("integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state")
	put("integer :: ierror")
	print "    end subroutine"
	print "  end interface"
	print "  interface"
	for (k = 1; k < n; k += 2) {
		type = kind[k] == "Type" ? "Datatype" : kind[k]
		copy("MPI_" kind[k] "_null_copy_fn", type, kind[k + 1])
		copy("MPI_" kind[k] "_dup_fn", type, kind[k + 1])
		delete_("MPI_" kind[k] "_null_delete_fn", type, kind[k + 1])
	}
	conversion("MPI_Conversion_fn_null", "integer")
	conversion("MPI_Conversion_fn_null_c", large)
	print "  end interface"
}
