# SPDX-License-Identifier: Apache-2.0
# files.t: files on NFS, which ranks of two nodes share, and on file systems of one
# node that are full, limit their users or are read-only.
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
# limits CASE FOLDER [COMMAND...] runs a case in a folder, ranks on this node.
limits()
{
	case=$1 folder=$2
	shift 2
	cases "file_limits:" "$@" env TMPDIR="$folder" "$MRUN" --engine local \
		-n 4 "$top_builddir/tests/mpi/file_limits" "$case"
}

cases "file_limits: NFS:" env TMPDIR=/nfs "$MRUN" -n 4 \
	"$top_builddir/tests/mpi/file_limits" deleted
mkdir /run/small
mount -t tmpfs -o size=8m small /run/small
limits deleted /run/small
limits full /run/small
printf word >/run/small/there
mount -o remount,ro /run/small
limits read-only /run/small
# The folder that /nfs shows has a quota; root has none.
setquota -u nobody 0 8192 0 0 /srv/nfs
limits quota /srv/nfs setpriv --reuid=nobody --regid=nogroup --clear-groups
no_leftovers "nothing is left"
done_testing
