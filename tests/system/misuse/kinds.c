/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c says what each parameter is, by the function, its type and its name:
 * a good value, bad ones, and the codes that those give. */
#include <limits.h>

#include "tests/system/misuse/misuse.h"

#define P(...)                                                                 \
	{                                                                      \
		.p = (void *)(__VA_ARGS__)                                     \
	}
#define Z(value)                                                               \
	{                                                                      \
		.z = (value)                                                   \
	}
#define D(value)                                                               \
	{                                                                      \
		.d = (value)                                                   \
	}
#define I(value)                                                               \
	{                                                                      \
		.i = (value)                                                   \
	}
#define END                                                                    \
	{                                                                      \
		NULL, {NULL}, 0                                                \
	}

static void function(void)
{
}

static const size_t huge_counts[LIST] = {SIZE_MAX, 2, 2, 2};
static const size_t wrapping[LIST] = {SIZE_MAX / 4, SIZE_MAX / 4, SIZE_MAX / 4,
				      SIZE_MAX / 4};
static const ptrdiff_t far_displs[LIST] = {PTRDIFF_MAX, PTRDIFF_MAX,
					   PTRDIFF_MAX, PTRDIFF_MAX};
static struct mrt_type *no_types[LIST];
static const int none_ranks[LIST] = {-1, -1, -1, -1};
static const int many_ranks[LIST] = {INT_MAX, INT_MAX, INT_MAX, INT_MAX};
static const int four_ints[LIST] = {2, 0, 3, 1};
static const int no_ints[LIST] = {-77, -77, -77, -77};
static const int endless[1][3] = {{0, 5, -1}};
static const int still[1][3] = {{0, 0, 0}};
static const struct mrt_neighbors near_negative = {-1, none_ranks, 0, NULL, 0},
				  near_null = {1, NULL, 1, NULL, 0},
				  near_ranks = {1, none_ranks, 1, none_ranks,
						0},
				  near_grid = {1, none_ranks, 1, none_ranks, 1};
static struct iovec iov_null[2] = {{NULL, 8}, {NULL, 0}};
static struct iovec iov_huge[2] = {{stage.send, SIZE_MAX / 2},
				   {stage.send, SIZE_MAX / 2}};
static char huge_string[1 << 20];
static struct mrt_variable variable;
static struct mrt_counter counters[200]; /* more than there are */

static const struct bad none[] = {END};
static const struct bad out[] = {{"NULL", P(NULL), MRT_ERR_ARG}, END};
static const struct bad optional[] = {{"NULL", P(NULL), FINE}, END};
/* clang-format off */
static const struct bad buffer[] = {
    {"NULL", P(NULL), MRT_ERR_BUFFER},
    {"MRT_IN_PLACE", P(MRT_IN_PLACE), MRT_ERR_BUFFER}, END};
static const struct bad sends[] = {
    {"NULL", P(NULL), MRT_ERR_BUFFER},
    {"MRT_IN_PLACE", P(MRT_IN_PLACE), MRT_ERR_BUFFER},
    {"recvbuf", P(stage.recv), MRT_ERR_BUFFER}, END};
static const struct bad receives[] = {
    {"NULL", P(NULL), MRT_ERR_BUFFER},
    {"MRT_IN_PLACE", P(MRT_IN_PLACE), MRT_ERR_BUFFER},
    {"sendbuf", P(stage.send), MRT_ERR_BUFFER}, END};
static const struct bad count[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_COUNT},
    {"SIZE_MAX / 4 + 1", Z(SIZE_MAX / 4 + 1), MRT_ERR_COUNT},
    {"PTRDIFF_MAX", Z(PTRDIFF_MAX), MRT_ERR_COUNT},
    {"-2", Z((size_t)-2), MRT_ERR_COUNT}, END};
static const struct bad counts[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"{SIZE_MAX, ..}", P(huge_counts), MRT_ERR_COUNT},
    {"SIZE_MAX in all", P(wrapping), MRT_ERR_COUNT}, END};
static const struct bad displs[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"{PTRDIFF_MAX, ..}", P(far_displs), MRT_ERR_COUNT}, END};
static const struct bad fortran_size[] = {
    {"0", Z(0), MRT_ERR_ARG},
    {"16", Z(16), MRT_ERR_ARG}, END};
static const struct bad rank[] = {
    {"-7", I(-7), MRT_ERR_RANK},
    {"99", I(99), MRT_ERR_RANK},
    {"INT_MAX", I(INT_MAX), MRT_ERR_RANK},
    {"INT_MIN", I(INT_MIN), MRT_ERR_RANK}, END};
static const struct bad dest[] = {
    {"-7", I(-7), MRT_ERR_RANK},
    {"99", I(99), MRT_ERR_RANK},
    {"MRT_ANY_SOURCE", I(MRT_ANY_SOURCE), MRT_ERR_RANK},
    {"MRT_ROOT", I(MRT_ROOT), MRT_ERR_RANK},
    {"INT_MAX", I(INT_MAX), MRT_ERR_RANK},
    {"INT_MIN", I(INT_MIN), MRT_ERR_RANK}, END};
static const struct bad root[] = {
    {"-1", I(-1), MRT_ERR_ROOT},
    {"MRT_PROC_NULL", I(MRT_PROC_NULL), MRT_ERR_ROOT},
    {"MRT_ROOT", I(MRT_ROOT), MRT_ERR_ROOT},
    {"99", I(99), MRT_ERR_ROOT},
    {"INT_MAX", I(INT_MAX), MRT_ERR_ROOT},
    {"INT_MIN", I(INT_MIN), MRT_ERR_ROOT}, END};
static const struct bad tag[] = {
    {"-1", I(-1), MRT_ERR_TAG},
    {"MRT_ANY_TAG", I(MRT_ANY_TAG), MRT_ERR_TAG},
    {"-5", I(-5), MRT_ERR_TAG},
    {"INT_MIN", I(INT_MIN), MRT_ERR_TAG}, END};
static const struct bad tag_of_receive[] = {
    {"-1", I(-1), MRT_ERR_TAG},
    {"-5", I(-5), MRT_ERR_TAG},
    {"INT_MIN", I(INT_MIN), MRT_ERR_TAG}, END};
static const struct bad any_int[] = {
    {"-1", I(-1), EITHER}, {"INT_MIN", I(INT_MIN), EITHER},
    {"INT_MAX", I(INT_MAX), EITHER}, END};
static const struct bad word[] = {
    {"-77", I(-77), MRT_ERR_ARG}, {"INT_MAX", I(INT_MAX), MRT_ERR_ARG}, END};
static const struct bad color[] = {
    {"-77", I(-77), MRT_ERR_ARG}, {"INT_MIN", I(INT_MIN), MRT_ERR_ARG}, END};
static const struct bad fn[] = {{"NULL", P(NULL), MRT_ERR_ARG}, END};
static const struct bad near[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"-1 sources", P(&near_negative), MRT_ERR_ARG},
    {"NULL lists", P(&near_null), MRT_ERR_ARG},
    {"rank -1", P(&near_ranks), MRT_ERR_RANK},
    {"half a pair", P(&near_grid), MRT_ERR_ARG}, END};
static const struct bad types[] = {
    {"NULL", P(NULL), ANY}, {"{NULL, ..}", P(no_types), MRT_ERR_TYPE}, END};
static const struct bad ranks[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"{-1, ..}", P(none_ranks), MRT_ERR_RANK},
    {"{INT_MAX, ..}", P(many_ranks), MRT_ERR_RANK}, END};
static const struct bad ranges[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"{0, 5, -1}", P(endless), ANY},
    {"{0, 0, 0}", P(still), MRT_ERR_ARG}, END};
static const struct bad partition[] = {
    {"-1", I(-1), MRT_ERR_ARG}, {"4", I(4), MRT_ERR_ARG},
    {"INT_MAX", I(INT_MAX), MRT_ERR_ARG},
    {"INT_MIN", I(INT_MIN), MRT_ERR_ARG}, END};
static const struct bad partitions[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"{-1, ..}", P(none_ranks), MRT_ERR_ARG},
    {"{INT_MAX, ..}", P(many_ranks), MRT_ERR_ARG},
    {"{1, 1, ..}", P(stage.ones), MRT_ERR_ARG}, END};
static const struct bad iov[] = {
    {"NULL", P(NULL), MRT_ERR_BUFFER},
    {"a piece of NULL", P(iov_null), MRT_ERR_BUFFER},
    {"pieces of SIZE_MAX / 2", P(iov_huge), MRT_ERR_COUNT}, END};
static const struct bad pieces[] = {
    {"-1", I(-1), MRT_ERR_COUNT}, {"INT_MIN", I(INT_MIN), MRT_ERR_COUNT},
    END};
static const struct bad number[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_COUNT},
    {"-2", Z((size_t)-2), MRT_ERR_COUNT},
    {"INT_MAX + 1", Z((size_t)INT_MAX + 1), MRT_ERR_COUNT}, END};
static const struct bad room[] = {
    {"0", Z(0), MRT_ERR_TRUNCATE}, {"7", Z(7), MRT_ERR_TRUNCATE}, END};
static const struct bad no_room[] = {{"0", Z(0), MRT_ERR_ARG}, END};
static const struct bad memory[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_NO_MEM},
    {"PTRDIFF_MAX", Z(PTRDIFF_MAX), MRT_ERR_NO_MEM}, END};
static const struct bad not_heap[] = {
    {"other memory", P(stage.send), MRT_ERR_BUFFER},
    {"(void *)1", P(1), MRT_ERR_BUFFER}, END};
static const struct bad remote[] = {
    {"0", {.u = 0}, MRT_ERR_BUFFER},
    {"other memory", {.p = stage.send}, MRT_ERR_BUFFER},
    {"UINT64_MAX", {.u = UINT64_MAX}, MRT_ERR_BUFFER}, END};
static const struct bad mapped[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_BUFFER},
    {"2^40", Z((size_t)1 << 40), MRT_ERR_BUFFER}, END};
static const struct bad attached[] = {
    {"NULL", P(NULL), MRT_ERR_BUFFER}, END};
static const struct bad not_attached[] = {
    {"NULL", P(NULL), MRT_ERR_RANGE},
    {"other memory", P(window + 1), MRT_ERR_RANGE}, END};
static const struct bad wraps[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_BUFFER}, END};
static const struct bad too_much[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_ARG},
    {"PTRDIFF_MAX + 1", Z((size_t)PTRDIFF_MAX + 1), MRT_ERR_ARG}, END};
static const struct bad bytes[] = {
    {"SIZE_MAX", Z(SIZE_MAX), MRT_ERR_BUFFER}, END};
static const struct bad collective[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"\"\"", P(""), MRT_ERR_ARG},
    {"%s%n", P("%s%n"), MRT_ERR_ARG},
    {"a megabyte", P(huge_string), MRT_ERR_ARG}, END};
static const struct bad algorithm[] = {
    {"%s%n", P("%s%n"), ANY},
    {"linear:99999999999999999999999", P("ring:99999999999999999999999"), ANY},
    {"a megabyte", P(huge_string), ANY}, END};
static const struct bad text[] = {
    {"NULL", P(NULL), EITHER}, {"a megabyte", P(huge_string), EITHER}, END};
static const struct bad stride[] = {
    {"PTRDIFF_MAX", D(PTRDIFF_MAX), MRT_ERR_COUNT},
    {"PTRDIFF_MIN", D(PTRDIFF_MIN), MRT_ERR_COUNT}, END};
static const struct bad bound[] = {
    {"PTRDIFF_MAX", D(PTRDIFF_MAX), EITHER},
    {"PTRDIFF_MIN", D(PTRDIFF_MIN), EITHER}, END};
static const struct bad dims[] = {
    {"-1", I(-1), MRT_ERR_ARG}, {"0", I(0), MRT_ERR_ARG},
    {"INT_MIN", I(INT_MIN), MRT_ERR_ARG}, END};
static const struct bad grid[] = {
    {"NULL", P(NULL), MRT_ERR_ARG}, {"-77", P(no_ints), MRT_ERR_ARG}, END};
static const struct bad sizes[] = {
    {"NULL", P(NULL), MRT_ERR_ARG},
    {"SIZE_MAX", P(huge_counts), MRT_ERR_ARG}, END};


const struct kind kinds[] = {
    /* rows that differ from what follows for their type and name */
    {"mrt_*reduce_local", "void *", "inout", 0, 0, P(stage.recv), receives},
    {"mrt_*reduce_local", "const void *", "in", 0, 0, P(stage.send), sends},
    {"mrt_comm_compare", "*", "?", COMM, 0, {NULL}, none},
    {"mrt_intercomm_create", "*", "local_comm", COMM, 0, P(MRT_COMM_SELF),
     none},
    {"mrt_intercomm_create", "*", "peer_comm", COMM, 0, P(MRT_COMM_WORLD),
     none},
    {"mrt_intercomm_create", "int", "local_leader", 0, 0, I(0), rank},
    {"mrt_type_darray", "int", "size", 0, 0, I(1), dims},
    {"mrt_type_darray", "int", "rank", 0, 0, I(0), word},
    {"mrt_type_darray", "const int *", "psizes", 0, 0, P(stage.ones), grid},
    {"mrt_type_set_fortran", "size_t", "*", 0, 0, Z(4), fortran_size},
    {"mrt_free", "void *", "ptr", 0, 0, P(NULL), not_heap},
    {"mrt_map", "size_t", "bytes", 0, 0, Z(64), mapped},
    {"mrt_grequest_start", "mrt_grequest_query_fn", "*", 0, 0, {NULL}, none},
    {"mrt_map", "void **", "local", 0, 0, P(&stage.ptr), out},
    {"mrt_alloc*", "size_t", "bytes", 0, 0, Z(64), memory},
    {"mrt_alloc*", "void **", "ptr", 0, 0, P(&stage.ptr), out},
    {"mrt_group_share_buffer", "struct mrt_buffer *", "*", 0, 0, P(NULL), none},
    {"mrt_comm_buffer", "struct mrt_buffer **", "*", 0, 0, P(&stage.own), out},
    {"mrt_buffer_*", "struct mrt_buffer *", "b", 0, 0, P(&stage.shared), out},
    {"mrt_buffer_attach", "void *", "buf", 0, 0, P(stage.recv), attached},
    {"mrt_buffer_attach", "size_t", "bytes", 0, 0, Z(512), bytes},
    {"mrt_chosen_algorithm", "char *", "name", 0, 0, P(stage.name), out},
    {"mrt_chosen_algorithm", "size_t", "bytes", 0, 0, Z(8), none},
    {"mrt_set_gather_min", "size_t", "bytes", 0, 0, Z(64), none},
    {"mrt_set_outer_call", "size_t", "*", 0, 0, Z(64), none},
    {"mrt_set_algorithm", "const char *", "name", 0, 0, P(NULL), algorithm},
    {"mrt_type_envelope", "*", "n*", 0, 0, P(&stage.count), optional},
    {"mrt_type_envelope", "*", "combiner", 0, 0, P(&stage.combiner),
     optional},
    {"mrt_type_traits", "int *", "*", 0, 0, P(&stage.ints), optional},
    {"mrt_algorithm_name", "int", "k", 0, 0, I(0), any_int},
    {"mrt_algorithm_name", "size_t *", "argument", 0, 0, P(&stage.count),
     optional},
    {"mrt_variable", "int", "k", 0, 0, I(0), any_int},
    {"mrt_variable", "struct mrt_variable *", "*", 0, 0, P(&variable),
     optional},
    {"mrt_counters", "struct mrt_counter[]", "*", 0, 0, P(counters), optional},
    {"mrt_counters", "int", "room", 0, 0, I(1), any_int},
    {"mrt_group_*", "struct mrt_group *", "?", GROUP, 0,
     P(MRT_GROUP_EMPTY), none},
    {"mrt_group_translate_ranks", "struct mrt_group *", "*", GROUP, 0,
     {NULL}, none},
    {"mrt_set_elements", "struct mrt_status *", "status", 0, 0,
     P(&stage.status), out},
    {"mrt_set_elements", "size_t", "elements", 0, 0, Z(2), count},
    {"mrt_get_*", "const struct mrt_status *", "status", 0, 0,
     P(&stage.status), out},
    {"mrt_cancel", "struct mrt_request **", "request", REQUEST, 1,
     P(&stage.request), out},
    {"mrt_grequest_complete", "struct mrt_request *", "request", REQUEST, 0,
     {NULL}, none},
    {"mrt_grequest_poll", "struct mrt_request *", "request", REQUEST, 0, {NULL},
     none},
    {"mrt_grequest_poll", "mrt_grequest_poll_fn", "*", 0, 0, {.f = function},
     fn},
    {"mrt_request_get_status", "struct mrt_request *", "request", REQUEST, 0,
     P(MRT_REQUEST_NULL), none},
    {"mrt_*mrecv", "struct mrt_message **", "message", MESSAGE, 1,
     P(&stage.message), out},
    {"mrt_wait", "struct mrt_request **", "request", REQUEST, 1,
     P(&stage.request), out},
    {"mrt_test", "struct mrt_request **", "request", REQUEST, 1,
     P(&stage.request), out},
    {"mrt_start", "struct mrt_request **", "request", REQUEST, 1,
     P(&stage.request), out},
    {"mrt_request_free", "struct mrt_request **", "request", REQUEST, 1,
     P(&stage.request), out},
    {"mrt_comm_free", "struct mrt_comm **", "comm", COMM, 1, P(&stage.comm),
     out},
    {"mrt_comm_disconnect", "struct mrt_comm **", "comm", COMM, 1,
     P(&stage.comm), out},
    {"mrt_type_free", "struct mrt_type **", "type", TYPE, 1, P(&stage.type),
     out},
    {"mrt_op_free", "struct mrt_op **", "op", OP, 1, P(&stage.op), out},
    {"mrt_group_free", "struct mrt_group **", "group", GROUP, 1,
     P(&stage.group), out},
    {"mrt_processor_name", "size_t", "len", 0, 0,
     Z(MRT_PROCESSOR_NAME_MAX), no_room},
    {"mrt_processor_name", "char *", "name", 0, 0, P(stage.name), out},
    {"mrt_init*", "*", "arg?", 0, 0, P(NULL), none},
    {"mrt_error_string", "int", "code", 0, 0, I(0), any_int},
    {"mrt_type_contents", "ptrdiff_t[]", "values", 0, 0, P(stage.values),
     out},
    {"mrt_type_blocks", "ptrdiff_t *", "values", 0, 0, P(NULL), none},
    {"mrt_group_*cl", "size_t", "n", 0, 0, Z(1), number},
    {"mrt_type_contents", "struct mrt_type *", "type", TYPE, 0, {NULL}, none},
    {"mrt_type_set_form", "struct mrt_type *", "type", TYPE, 0, {NULL}, none},
    {"mrt_type_contents", "struct mrt_type *[]", "types", 0, 0,
     P(stage.made_types), out},

    /* partitioned communication */
    {"mrt_p*_init", "int", "partitions", 0, 0, I(2), dims},
    {"mrt_p*", "struct mrt_request *", "request", REQUEST, 0, {NULL}, none},
    {"mrt_p*", "int", "partition", 0, 0, I(1), partition},
    {"mrt_pready_range", "int", "*", 0, 0, I(1), partition},
    {"mrt_pready_list", "const int[]", "partitions", 0, 0, P(four_ints),
     partitions},

    /* windows */
    {"mrt_win_create*", "struct mrt_win **", "win", 0, 0, P(&stage.win), out},
    {"mrt_win_allocate*", "struct mrt_win **", "win", 0, 0, P(&stage.win),
     out},
    {"mrt_win_free", "struct mrt_win **", "win", WIN, 1, P(&stage.win), out},
    {"*", "struct mrt_win *", "win", WIN, 0, {NULL}, none},
    {"*", "struct mrt_win_info *", "info", 0, 0, P(&stage.win_info), out},
    {"*", "const struct mrt_target *", "target", 0, 0, P(&stage.target), out},
    {"mrt_win_create", "void *", "base", 0, 0, P(window), attached},
    {"mrt_win_attach", "void *", "base", 0, 0, P(window), attached},
    {"mrt_win_detach", "const void *", "base", 0, 0, P(window), not_attached},
    {"mrt_win_allocate*", "void **", "base", 0, 0, P(&stage.ptr), out},
    {"mrt_win_attach", "size_t", "bytes", 0, 0, Z(sizeof(window)), wraps},
    {"mrt_win_*", "size_t", "bytes", 0, 0, Z(sizeof(window)), too_much},
    {"mrt_win_*", "size_t", "unit", 0, 0, Z(sizeof(int)), no_room},
    {"mrt_*put", "struct mrt_request **", "request", 0, 0, P(&stage.request),
     optional},
    {"mrt_get", "struct mrt_request **", "request", 0, 0, P(&stage.request),
     optional},
    {"mrt_*accumulate", "struct mrt_request **", "request", 0, 0,
     P(&stage.request), optional},
    {"*", "const void *", "from", 0, 0, P(stage.send), buffer},
    {"*", "const void *", "compare", 0, 0, P(stage.send), buffer},
    {"*", "void *", "to", 0, 0, P(stage.recv), buffer},
    {"*", "void *", "result", 0, 0, P(stage.recv), buffer},

    /* handles */
    {"*", "struct mrt_comm *", "comm", COMM, 0, {NULL}, none},
    {"*", "struct mrt_type *", "*", TYPE, 0, P(MRT_INT), none},
    {"*", "struct mrt_op *", "op", OP, 0, P(MRT_SUM), none},
    {"*", "struct mrt_group *", "group", GROUP, 0, {NULL}, none},
    {"*", "struct mrt_request *[]", "requests", REQUEST, 1,
     P(stage.requests), out},
    {"*", "struct mrt_request *const[]", "requests", REQUEST, 1,
     P(stage.requests), out},

    /* outputs */
    {"*", "struct mrt_request **", "request", 0, 0, P(&stage.request), out},
    {"*", "struct mrt_comm **", "newcomm", 0, 0, P(&stage.comm), out},
    {"*", "struct mrt_type **", "newtype", 0, 0, P(&stage.type), out},
    {"*", "struct mrt_group **", "*group", 0, 0, P(&stage.group), out},
    {"*", "struct mrt_op **", "op", 0, 0, P(&stage.op), out},
    {"*", "struct mrt_message **", "message", 0, 0, P(&stage.message), out},
    {"*", "struct mrt_status *", "status", 0, 0, P(&stage.status), optional},
    {"*", "struct mrt_status[]", "statuses", 0, 0, P(stage.statuses),
     optional},
    {"*", "struct mrt_place[]", "places", 0, 0, P(stage.places), out},
    {"*", "struct mrt_type *[]", "types", 0, 0, P(stage.made_types), out},
    {"*", "int *", "index", 0, 0, P(&stage.index), out},
    {"*", "int *", "outcount", 0, 0, P(&stage.number), out},
    {"*", "int *", "*", 0, 0, P(&stage.flag), out},
    {"*", "int[]", "*", 0, 0, P(stage.indices), out},
    {"*", "size_t *", "position", 0, 0, P(&stage.position), out},
    {"*", "size_t *", "bytes", 0, 0, P(&stage.bytes), out},
    {"*", "size_t *", "*", 0, 0, P(&stage.count), out},
    {"*", "ptrdiff_t *", "lb", 0, 0, P(&stage.lb), out},
    {"*", "ptrdiff_t *", "extent", 0, 0, P(&stage.extent), out},
    {"*", "enum mrt_comparison *", "result", 0, 0, P(&stage.result), out},
    {"*", "enum mrt_thread_level *", "*", 0, 0, P(NULL), none},
    {"*", "void **", "buf", 0, 0, P(&stage.ptr), out},

    /* buffers and what goes with them */
    {"*", "const void *", "sendbuf", 0, 0, P(stage.send), sends},
    {"*", "void *", "recvbuf", 0, 0, P(stage.recv), receives},
    {"*pack*", "*void *", "inbuf", 0, 0, P(stage.send), buffer},
    {"*pack*", "*void *", "outbuf", 0, 0, P(stage.recv), buffer},
    {"*", "*void *", "buf", 0, 0, P(stage.recv), buffer},
    {"*pack*", "size_t", "*size", 0, 0, Z(8), room},
    {"*", "size_t", "*count", 0, 0, Z(2), count},
    {"*", "size_t", "blocklength", 0, 0, Z(2), count},
    {"*", "size_t", "n", 0, 0, Z(2), number},
    {"*", "size_t", "max_*", 0, 0, Z(4), no_room},
    {"*", "size_t", "len", 0, 0, Z(MRT_PROCESSOR_NAME_MAX), no_room},
    {"*", "const size_t[]", "*sizes", 0, 0, P(stage.sizes), sizes},
    {"*", "const size_t[]", "starts", 0, 0, P(stage.zeros), sizes},
    {"*", "const size_t[]", "*", 0, 0, P(stage.counts), counts},
    {"*", "const ptrdiff_t[]", "*", 0, 0, P(stage.displs), displs},
    {"*", "struct mrt_type *const[]", "*", 0, 0, P(stage.types), types},
    {"*", "const struct mrt_neighbors *", "*", 0, 0, P(&stage.near), near},
    {"*", "const struct iovec *", "iov", 0, 0, P(stage.iov), iov},
    {"*sendv", "int", "n", 0, 0, I(2), pieces},
    {"*", "uint64_t", "remote", 0, 0, {NULL}, remote},
    {"*", "ptrdiff_t", "stride", 0, 0, D(3), stride},
    {"*", "ptrdiff_t", "*", 0, 0, D(8), bound},

    /* numbers */
    {"*", "int", "root", 0, 0, I(0), root},
    {"*", "int", "dest", 0, 0, I(MRT_PROC_NULL), dest},
    {"*", "int", "source", 0, 0, I(MRT_PROC_NULL), rank},
    {"*recv*", "int", "tag", 0, 0, I(3), tag_of_receive},
    {"*probe", "int", "tag", 0, 0, I(3), tag_of_receive},
    {"*", "int", "recvtag", 0, 0, I(3), tag_of_receive},
    {"*", "int", "*tag", 0, 0, I(3), tag},
    {"*", "int", "rank", 0, 0, {NULL}, rank},
    {"*", "int", "remote_leader", 0, 0, {NULL}, rank},
    {"*", "int", "color", 0, 0, I(0), color},
    {"*", "int", "locality", 0, 0, I(MRT_LOCALITY_NODE), word},
    {"*", "enum mrt_combiner", "combiner", 0, 0, I(MRT_COMBINER_F90_REAL),
     word},
    {"*", "int", "ndims", 0, 0, I(2), dims},
    {"*", "enum mrt_order", "order", 0, 0, I(MRT_ORDER_C), word},
    {"*", "const int[]", "ranks", 0, 0, P(stage.ints), ranks},
    {"*", "const int[][3]", "ranges", 0, 0, P(stage.ranges), ranges},
    {"*", "const int[]", "distribs", 0, 0, P(stage.dists), grid},
    {"*", "const int[]", "dargs", 0, 0, P(stage.defaults), grid},
    {"*", "const int[]", "psizes", 0, 0, P(stage.ones), grid},
    {"*", "int", "*", 0, 0, I(0), any_int}, /* every value means something */
    {"*", "enum mrt_error_mode", "mode", 0, 0, I(MRT_ERRORS_RETURN), none},
    {"*", "enum mrt_thread_level", "required", 0, 0, I(0), none},

    /* words and functions */
    {"*", "const char *", "collective", 0, 0, P("allreduce"), collective},
    {"*", "const char *", "*", 0, 0, P("text"), text},
    {"*", "mrt_op_fn", "fn", 0, 0, {.f = function}, fn},
    {"*", "mrt_grequest_free_fn", "*", 0, 0, {NULL}, none},
    {"*", "mrt_grequest_cancel_fn", "*", 0, 0, {NULL}, none},
    {"*", "void *", "*", 0, 0, P(NULL), none}, /* the user's own pointer */
    {NULL, NULL, NULL, 0, 0, {NULL}, NULL},
};
/* clang-format on */

void kinds_begin(void)
{
	memset(huge_string, 'x', sizeof(huge_string) - 1);
}
