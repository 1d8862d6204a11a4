# SPDX-License-Identifier: Apache-2.0
# files_nfs.t: files on NFS, which ranks of two nodes share.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
in_cluster -N 2 --nfs
need_mrun
[ -e "$top_builddir/.libs/libmrt_romio.so" ] ||
	skip_all "built without files: configure --with-romio=FOLDER"
CASES_TIMEOUT=120

# Ranks that wait for a lock of NFS ask once a second: cases with few are enough.
while read -r name; do
	cases "file_move:" env TMPDIR=/nfs "$MRUN" -n 4 \
		"$top_builddir/tests/mpi/file_move" "$name"
done <<end
at offsets, alone and together
a view of tiles: subarrays
gaps in memory and in the file
shared pointers
split collectives
nonblocking collectives, several
end
cases "file_object:" env TMPDIR=/nfs "$MRUN" -n 4 \
	"$top_builddir/tests/mpi/file_object"
no_leftovers "nothing is left"
done_testing
