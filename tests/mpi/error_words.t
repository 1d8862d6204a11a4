# SPDX-License-Identifier: Apache-2.0
# error_words.t checks that an MPI program is told of its mistakes in the words of
# MPI: the function, the communicator, the argument and its value, and no name
# of libmrt's own interface. In the table, @ is " on MPI_COMM_WORLD" and ! is
# "MPI_ERR_"; MRT_CHECK finds the mistakes with a star.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/mpi/error_words
leaks_allowed

cat >"$work/table" <<'END'
bad_count|MPI_Send@: !COUNT: the count is -3
bad_dest|MPI_Send on workers: !RANK: dest is 7, in a communicator of 2 \
ranks
any_dest|MPI_Send@: !RANK: dest is MPI_ANY_SOURCE, which is for receives
bad_source|MPI_Recv@: !RANK: source is -5, in a communicator of 2 ranks
bad_tag|MPI_Send@: !TAG: tag -7, valid are 0..2147483647
null_comm|MPI_Send: !COMM: MPI_COMM_NULL is not a communicator
null_type|MPI_Send@: !TYPE: MPI_DATATYPE_NULL is not a type
uncommitted|MPI_Send@: !TYPE: type 0x[0-9a-f]+ has not been committed: \
call MPI_Type_commit
freed_type|MPI_Send@: !TYPE: 0x[0-9a-f]+ is not a type, or is freed
freed_comm|MPI_Barrier: !COMM: 0x[0-9a-f]+ is not a communicator, or is \
freed
unnamed_comm|MPI_Send on rank 0 of 2 of a communicator of \
MPI_Comm_split: !RANK: dest is 2, in a communicator of 2 ranks
null_buffer|MPI_Send@: !BUFFER: buffer NULL with a count of 3
truncated|MPI_Sendrecv@: !TRUNCATE: message of 40 bytes from rank [01] \
with tag 4, buffer of 8 bytes
other_collective*|MPI_(Bcast|Allreduce)@: !ARG: collective 1 of \
communicator 0 .world., of 2 ranks: rank 1 calls MPI_Bcast of 1 \
MPI_INT, root 0; rank 0 calls MPI_Allreduce of 1 MPI_INT, MPI_SUM
bad_root|MPI_Bcast@: !ROOT: root 9 of a communicator of 2
other_root*|MPI_Bcast@: !ARG: collective 1 of communicator 0 .world., \
of 2 ranks: rank 1 calls MPI_Bcast of 1 MPI_INT, root 1; rank 0 calls \
MPI_Bcast of 1 MPI_INT, root 0
bad_op|MPI_Allreduce@: !OP: op MPI_BAND is not defined for type \
MPI_FLOAT
null_op|MPI_Allreduce@: !OP: MPI_OP_NULL is not an operation
aliased|MPI_Allreduce@: !BUFFER: sendbuf and recvbuf overlap; see \
MPI_IN_PLACE
negative_block|MPI_Gather@: !COUNT: sendcount is -1
null_block_type|MPI_Gather@: !TYPE: MPI_DATATYPE_NULL is not a type, as \
sendtype must be
null_counts|MPI_Allgatherv@: !ARG: recvcounts is NULL
overlapping*|MPI_Irecv@: !BUFFER: the 12 bytes at 0x[0-9a-f]+ overlap the \
buffer of another receive, which is not over: a message from rank 1 with tag 4
wait_again|MPI_Wait: !REQUEST: 0x[0-9a-f]+ is not a request: it is \
complete already, or is freed
wait_for_junk|MPI_Wait: !REQUEST: 0x[0-9a-f]+ is not a request: .*
init_again|MPI_Init: !OTHER: it has been called before
after_finalize|MPI_Barrier@: !OTHER: called after MPI_Finalize, .*
no_epoch|MPI_Put on the board: !RMA_SYNC: no epoch is open: .*
outside|MPI_Put: !RMA_RANGE: displacement 5000 and 1 elements of 4 \
bytes are not in the 400 bytes of rank 0
null_window|MPI_Win_fence: !WIN: MPI_WIN_NULL is not a window
free_predefined|MPI_Type_free: !TYPE: MPI_INT is predefined
negative_vector|MPI_Type_vector: !COUNT: count is -2
no_memory_of_mpi|MPI_Free_mem: !BASE: 0x[0-9a-f]+ is not memory of \
MPI_Alloc_mem
END
is "$("$program")" "$(sed -n 's/^\([a-z_]*\)[*]*|.*/\1/p' "$work/table")" \
	"the mistakes"

who='^libmrt\[[01]/2 [^ ]+ [0-9]+\]'
# shellcheck disable=SC2162 # a backslash continues a line
while IFS='|' read name text; do
	check=no
	case $name in *\*) check=yes name=${name%?} ;; esac
	text=$(echo "$text" | sed 's/@/ on MPI_COMM_WORLD/; s/!/MPI_ERR_/')
	run 30 env MRT_CHECK=$check "$MRUN" -n 2 "$program" "$name"
	is "$rc" 64 "$name: the exit code of wrong use"
	like "$err" "$who error: $text\$" "$name: who, what and why"
	unlike "$err" "mrt_[a-z]|MRT_[ABD-Z]" "$name: in no other words"
done <"$work/table"
done_testing
