/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error_comm.c checks that an error of a call on a communicator goes to the
 * handler of that communicator and to no other, whichever argument is wrong
 * (MPI 4.1, 9.3).
 */
#include "tests/mpi/mpi_test.h"

static MPI_Comm comm; /* a duplicate of the world whose handler is `note` */
static int noted, elsewhere, x[4], y[4];

static void note(MPI_Comm *on, int *code, ...)
{
	(void)code;
	if (*on == comm)
		noted++;
	else
		elsewhere++;
}

static void note_elsewhere(MPI_Comm *on, int *code, ...)
{
	(void)on;
	(void)code;
	elsewhere++;
}

/* Expects a call to fail with an error of `class`, or with any error if that
 * is 0. */
#define WRONG(class, call) check_wrong(call, class, __LINE__, #call)
static void check_wrong(int code, int class, int line, const char *text)
{
	int got = -1;

	MPI_Error_class(code, &got);
	mpi_test_check(class ? got == class : got != MPI_SUCCESS, __FILE__,
		       line, text);
	if (!mpi_test_check(noted == 1 && elsewhere == 0, __FILE__, line, text))
		printf("# %d calls of its handler, %d of others\n", noted,
		       elsewhere);
	noted = elsewhere = 0;
}

static void set_handler(MPI_Comm on, MPI_Comm_errhandler_function *function)
{
	MPI_Errhandler handler;

	OK(MPI_Comm_create_errhandler(function, &handler));
	OK(MPI_Comm_set_errhandler(on, handler));
	OK(MPI_Errhandler_free(&handler));
}

/* Runs the calls with the handlers in place. */
static void watched(void (*calls)(void))
{
	OK(MPI_Comm_dup(W, &comm));
	set_handler(comm, note);
	set_handler(W, note_elsewhere);
	set_handler(MPI_COMM_SELF, note_elsewhere);
	calls();
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
	OK(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN));
	OK(MPI_Comm_free(&comm));
}

/* Tries the wrong arguments of a call Name(buffer, count, type, rank, tag,
 * comm ..). */
#define EACH_ARGUMENT(Name, ...)                                               \
	WRONG(MPI_ERR_COUNT, Name(x, -1, MPI_INT, 0, 0, comm, ##__VA_ARGS__)); \
	WRONG(MPI_ERR_TYPE,                                                    \
	      Name(x, 1, MPI_DATATYPE_NULL, 0, 0, comm, ##__VA_ARGS__));       \
	WRONG(MPI_ERR_RANK, Name(x, 1, MPI_INT, np, 0, comm, ##__VA_ARGS__));  \
	WRONG(MPI_ERR_TAG, Name(x, 1, MPI_INT, 0, -77, comm, ##__VA_ARGS__));  \
	WRONG(MPI_ERR_BUFFER, Name(NULL, 1, MPI_INT, 0, 0, comm, ##__VA_ARGS__))

#define EACH_WITH_REQUEST(Name)                                                \
	EACH_ARGUMENT(Name, &r);                                               \
	WRONG(0, Name(x, 1, MPI_INT, 0, 0, comm, NULL))

static void blocking(void)
{
	MPI_Request s;

	EACH_ARGUMENT(MPI_Send);
	EACH_ARGUMENT(MPI_Ssend);
	EACH_ARGUMENT(MPI_Rsend);
	EACH_ARGUMENT(MPI_Bsend);
	EACH_ARGUMENT(MPI_Recv, MPI_STATUS_IGNORE);
	WRONG(MPI_ERR_TAG, MPI_Sendrecv(x, 1, MPI_INT, me, 0, y, 1, MPI_INT, me,
					-77, comm, MPI_STATUS_IGNORE));
	WRONG(MPI_ERR_TYPE,
	      MPI_Sendrecv_replace(x, 1, MPI_DATATYPE_NULL, me, 0, me, 0, comm,
				   MPI_STATUS_IGNORE));
	/* longer than its buffer */
	OK(MPI_Isend(x, 1, MPI_INT, me, 1, comm, &s));
	WRONG(MPI_ERR_TRUNCATE,
	      MPI_Recv(y, 0, MPI_INT, me, 1, comm, MPI_STATUS_IGNORE));
	OK(MPI_Wait(&s, MPI_STATUS_IGNORE));
}

static void nonblocking(void)
{
	MPI_Request r, s;

	EACH_WITH_REQUEST(MPI_Isend);
	EACH_WITH_REQUEST(MPI_Issend);
	EACH_WITH_REQUEST(MPI_Irsend);
	EACH_WITH_REQUEST(MPI_Ibsend);
	EACH_WITH_REQUEST(MPI_Irecv);
	WRONG(0, MPI_Isendrecv(x, 1, MPI_INT, me, 0, y, 1, MPI_INT, me, 0, comm,
			       NULL));
	WRONG(0,
	      MPI_Isendrecv_replace(x, 1, MPI_INT, me, 0, me, 0, comm, NULL));
	OK(MPI_Irecv(y, 0, MPI_INT, me, 1, comm, &r));
	OK(MPI_Isend(x, 1, MPI_INT, me, 1, comm, &s));
	WRONG(MPI_ERR_TRUNCATE, MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Wait(&s, MPI_STATUS_IGNORE));
}

static void persistent(void)
{
	MPI_Request r, s;

	EACH_WITH_REQUEST(MPI_Send_init);
	EACH_WITH_REQUEST(MPI_Ssend_init);
	EACH_WITH_REQUEST(MPI_Rsend_init);
	EACH_WITH_REQUEST(MPI_Bsend_init);
	EACH_WITH_REQUEST(MPI_Recv_init);
	OK(MPI_Recv_init(y, 0, MPI_INT, me, 1, comm, &r));
	OK(MPI_Start(&r));
	OK(MPI_Isend(x, 1, MPI_INT, me, 1, comm, &s));
	WRONG(MPI_ERR_TRUNCATE, MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Wait(&s, MPI_STATUS_IGNORE));
	OK(MPI_Request_free(&r));
}

static void probes(void)
{
	MPI_Message message;
	MPI_Request s;
	int flag;

	WRONG(MPI_ERR_RANK, MPI_Probe(np, 0, comm, MPI_STATUS_IGNORE));
	WRONG(MPI_ERR_TAG, MPI_Iprobe(0, -77, comm, &flag, MPI_STATUS_IGNORE));
	WRONG(0, MPI_Iprobe(0, 0, comm, NULL, MPI_STATUS_IGNORE));
	WRONG(MPI_ERR_RANK,
	      MPI_Mprobe(np, 0, comm, &message, MPI_STATUS_IGNORE));
	WRONG(0, MPI_Mprobe(0, 0, comm, NULL, MPI_STATUS_IGNORE));
	WRONG(0, MPI_Improbe(0, 0, comm, NULL, &message, MPI_STATUS_IGNORE));
	/* the message belongs to the communicator */
	OK(MPI_Isend(x, 1, MPI_INT, me, 1, comm, &s));
	OK(MPI_Mprobe(me, 1, comm, &message, MPI_STATUS_IGNORE));
	WRONG(MPI_ERR_TYPE,
	      MPI_Mrecv(y, 1, MPI_DATATYPE_NULL, &message, MPI_STATUS_IGNORE));
	WRONG(0, MPI_Imrecv(y, 1, MPI_INT, &message, NULL));
	WRONG(MPI_ERR_TRUNCATE,
	      MPI_Mrecv(y, 0, MPI_INT, &message, MPI_STATUS_IGNORE));
	OK(MPI_Wait(&s, MPI_STATUS_IGNORE));
}

/* Tries the three forms of a collective with the same wrong arguments. */
#define EACH_FORM(class, Name, name, ...)                                      \
	WRONG(class, MPI_##Name(__VA_ARGS__, comm));                           \
	WRONG(class, MPI_I##name(__VA_ARGS__, comm, &r));                      \
	WRONG(class, MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &r))

static void collectives(void)
{
	MPI_Request r;

	WRONG(0, MPI_Ibarrier(comm, NULL));
	WRONG(0, MPI_Barrier_init(comm, MPI_INFO_NULL, NULL));
	WRONG(0, MPI_Ibcast(x, 1, MPI_INT, 0, comm, NULL));
	WRONG(0, MPI_Allreduce_init(x, y, 1, MPI_INT, MPI_SUM, comm,
				    MPI_INFO_NULL, NULL));
	EACH_FORM(MPI_ERR_ROOT, Bcast, bcast, x, 1, MPI_INT, np);
	EACH_FORM(MPI_ERR_COUNT, Bcast, bcast, x, -1, MPI_INT, 0);
	EACH_FORM(MPI_ERR_TYPE, Gather, gather, x, 1, MPI_DATATYPE_NULL, y, 1,
		  MPI_DATATYPE_NULL, 0);
	EACH_FORM(MPI_ERR_OP, Allreduce, allreduce, x, y, 1, MPI_INT,
		  MPI_OP_NULL);
	EACH_FORM(MPI_ERR_BUFFER, Allreduce, allreduce, NULL, y, 1, MPI_INT,
		  MPI_SUM);
	EACH_FORM(MPI_ERR_OP, Scan, scan, x, y, 1, MPI_INT, MPI_OP_NULL);
	EACH_FORM(0, Alltoallv, alltoallv, x, NULL, NULL, MPI_INT, y, NULL,
		  NULL, MPI_INT);
	EACH_FORM(0, Alltoallw, alltoallw, x, NULL, NULL, NULL, y, NULL, NULL,
		  NULL);
	EACH_FORM(MPI_ERR_TOPOLOGY, Neighbor_allgather, neighbor_allgather, x,
		  1, MPI_INT, y, 1, MPI_INT);
}

static void making(void)
{
	MPI_Request r;
	MPI_Comm made;

	WRONG(0, MPI_Comm_dup(comm, NULL));
	WRONG(0, MPI_Comm_idup(comm, NULL, &r));
	WRONG(0, MPI_Comm_idup(comm, &made, NULL));
	WRONG(MPI_ERR_GROUP, MPI_Comm_create(comm, MPI_GROUP_NULL, &made));
	WRONG(MPI_ERR_GROUP,
	      MPI_Comm_create_group(comm, MPI_GROUP_NULL, 0, &made));
	WRONG(0, MPI_Comm_split(comm, -77, 0, &made));
	WRONG(0, MPI_Comm_split(comm, 0, 0, NULL));
	WRONG(MPI_ERR_ARG,
	      MPI_Comm_split_type(comm, -77, 0, MPI_INFO_NULL, &made));
	WRONG(0, MPI_Intercomm_create(comm, np, W, 0, 0, &made));
	WRONG(MPI_ERR_COMM, MPI_Intercomm_merge(comm, 0, &made));
}

/* An invalid info is an error of the communicator as well. */
static void infos(void)
{
	MPI_Info info, freed;
	MPI_Request r;
	MPI_Comm made;

	OK(MPI_Info_create(&info));
	freed = info;
	OK(MPI_Info_free(&info));
	WRONG(MPI_ERR_INFO, MPI_Comm_set_info(comm, freed));
	WRONG(MPI_ERR_INFO, MPI_Comm_dup_with_info(comm, freed, &made));
	WRONG(MPI_ERR_INFO, MPI_Comm_idup_with_info(comm, freed, &made, &r));
	WRONG(MPI_ERR_INFO, MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED,
						0, freed, &made));
	WRONG(MPI_ERR_INFO,
	      MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, freed, &made));
	WRONG(0, MPI_Comm_get_info(comm, NULL));
}

static void topologies(void)
{
	int dims[1] = {np + 1}, periods[1] = {0}, index[1] = {0}, rank;
	MPI_Comm made;

	WRONG(MPI_ERR_DIMS, MPI_Cart_create(comm, 1, dims, periods, 0, &made));
	WRONG(MPI_ERR_DIMS, MPI_Cart_map(comm, -1, dims, periods, &rank));
	WRONG(MPI_ERR_TOPOLOGY, MPI_Cart_rank(comm, dims, &rank));
	WRONG(MPI_ERR_TOPOLOGY, MPI_Cart_coords(comm, 0, 1, dims));
	WRONG(MPI_ERR_TOPOLOGY, MPI_Cart_sub(comm, dims, &made));
	WRONG(0, MPI_Graph_create(comm, np + 1, index, index, 0, &made));
	WRONG(MPI_ERR_TOPOLOGY, MPI_Graph_neighbors_count(comm, 0, &rank));
	WRONG(0, MPI_Dist_graph_create_adjacent(comm, -1, x, MPI_UNWEIGHTED, 0,
						x, MPI_UNWEIGHTED,
						MPI_INFO_NULL, 0, &made));
	WRONG(0, MPI_Dist_graph_create(comm, -1, x, x, x, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &made));
	WRONG(MPI_ERR_TOPOLOGY, MPI_Dist_graph_neighbors_count(comm, x, x, x));
	WRONG(0, MPI_Topo_test(comm, NULL));
}

static void others(void)
{
	int at = 0, keyval = MPI_KEYVAL_INVALID;

	WRONG(0, MPI_Comm_rank(comm, NULL));
	WRONG(0, MPI_Comm_size(comm, NULL));
	WRONG(0, MPI_Comm_group(comm, NULL));
	WRONG(0, MPI_Comm_compare(comm, W, NULL));
	WRONG(MPI_ERR_COMM, MPI_Comm_remote_size(comm, &at));
	WRONG(0, MPI_Comm_test_inter(comm, NULL));
	WRONG(0, MPI_Comm_set_name(comm, NULL));
	WRONG(0, MPI_Comm_get_name(comm, NULL, &at));
	WRONG(0, MPI_Comm_get_errhandler(comm, NULL));
	WRONG(MPI_ERR_KEYVAL, MPI_Comm_set_attr(comm, keyval, x));
	WRONG(MPI_ERR_KEYVAL, MPI_Comm_get_attr(comm, keyval, x, &at));
	WRONG(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(comm, keyval));
	WRONG(MPI_ERR_TYPE, MPI_Pack(x, 1, MPI_DATATYPE_NULL, y, 4, &at, comm));
	WRONG(MPI_ERR_TYPE,
	      MPI_Unpack(x, 4, &at, y, 1, MPI_DATATYPE_NULL, comm));
	WRONG(MPI_ERR_TYPE, MPI_Pack_size(1, MPI_DATATYPE_NULL, comm, &at));
}

/* These calls fail, whether the library offers them or not. */
static void seldom_offered(void)
{
	MPI_Request r;
	MPI_Win win;

	WRONG(0, MPI_Win_create(x, -1, 1, MPI_INFO_NULL, comm, &win));
	WRONG(0, MPI_Win_allocate(-1, 1, MPI_INFO_NULL, comm, x, &win));
	WRONG(0,
	      MPI_Psend_init(x, -1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &r));
}

#define CASE(name)                                                             \
	static void test_##name(void)                                          \
	{                                                                      \
		watched(name);                                                 \
	}
CASE(blocking)
CASE(nonblocking)
CASE(persistent)
CASE(probes)
CASE(collectives)
CASE(making)
CASE(infos)
CASE(topologies)
CASE(others)
CASE(seldom_offered)

static const struct mpi_case cases[] = {
    {"blocking sends and receives", test_blocking},
    {"nonblocking ones", test_nonblocking},
    {"persistent ones", test_persistent},
    {"probes and their messages", test_probes},
    {"collectives in three forms", test_collectives},
    {"making communicators", test_making},
    {"infos that are none", test_infos},
    {"topologies", test_topologies},
    {"other calls", test_others},
    {"calls that libraries may lack", test_seldom_offered},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
