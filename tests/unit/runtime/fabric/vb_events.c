/* SPDX-License-Identifier: Apache-2.0 */
/* vb_events.c: each event that a device can report has the effect that
 * docs/reliability.md promises: none, a port that counts as down, a warning, or
 * the end of the job with the reason. */
#include "runtime/fabric/verbs/vb_device.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "tests/tap.h"

#undef ibv_query_port

/* ---- stand-ins for the device, and for what vb_events.c uses ---- */

static struct ibv_port_attr port; /* as it is */
static uint16_t pkey;
static union ibv_gid gid;
static bool global;

int ibv_query_port(struct ibv_context *context, uint8_t number,
		   struct _compat_ibv_port_attr *attr)
{
	memcpy(attr, &port, sizeof(port));
	return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t number, int k,
		   __be16 *key)
{
	*key = htobe16(pkey);
	return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t number, int k,
		  union ibv_gid *found)
{
	*found = gid;
	return 0;
}

const char *ibv_event_type_str(enum ibv_event_type event)
{
	return "event";
}

bool vb_is_global(const struct vb *vb)
{
	return global;
}

const char *vb_port_name(const struct vb *vb)
{
	return "mlx5_0 port 2";
}

static char said[500];
static int code, warnings;

int fault_raise_text(int raised, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	code = raised;
	return raised;
}

void log_line(enum log_level level, int unused, const char *format, ...)
{
	warnings += level == LOG_WARN;
}

/* ---- tests ---- */

enum { PORT = 2, OTHER = 1, EVENTS = 64 };

static struct ibv_context context;
static struct vb vb;

/* The port as it was at start. */
static void begin(void)
{
	memset(&port, 0, sizeof(port));
	port.lid = 7;
	port.gid_tbl_len = 1;
	pkey = 0x8001;
	memset(&gid, 3, sizeof(gid));
	global = true;
	memset(&vb, 0, sizeof(vb));
	vb.dev.context = &context;
	vb.dev.port = PORT;
	vb.dev.port_attr = port;
	vb.dev.pkey = pkey;
	vb.dev.gid = gid;
	code = warnings = 0;
	said[0] = 0;
}

static void report_of(int event, int number)
{
	struct ibv_async_event e = {.event_type = (enum ibv_event_type)event};

	e.element.port_num = number;
	vb_async(&vb, &e);
}

static void report(int event)
{
	report_of(event, PORT);
}

static bool is_down(void)
{
	return atomic_load(&vb.dev.port_down) != 0;
}

static void ends(int want, const char *text, const char *what)
{
	is_int(code, want, "%s: ends the job", what);
	has_str(said, text, "%s: says why", what);
	has_str(said, "mlx5_0 port 2: ", "%s: names the port", what);
}

static void goes_on(bool down, int warned, const char *what)
{
	is_int(code, 0, "%s: goes on", what);
	is_int(is_down(), down, "%s: the port counts as %s", what,
	       down ? "down" : "up");
	is_int(warnings, warned, "%s: warnings", what);
}

/* Nothing has changed: only what says itself what has failed has an effect. */
static void all_alone(void)
{
	for (int event = 0; event < EVENTS; event++) {
		bool fatal = event == IBV_EVENT_CQ_ERR ||
			     event == IBV_EVENT_SRQ_ERR ||
			     event == IBV_EVENT_DEVICE_FATAL;
		bool warns = event == IBV_EVENT_QP_FATAL ||
			     event == IBV_EVENT_QP_REQ_ERR ||
			     event == IBV_EVENT_QP_ACCESS_ERR ||
			     event == IBV_EVENT_WQ_FATAL;
		char what[32];

		snprintf(what, sizeof(what), "event %d", event);
		begin();
		report(event);
		if (fatal)
			ends(event == IBV_EVENT_CQ_ERR ? MRT_ERR_INTERNAL
						       : MRT_ERR_RESOURCE,
			     "", what);
		else
			goes_on(event == IBV_EVENT_PORT_ERR,
				warns || event == IBV_EVENT_PORT_ERR, what);
	}
}

static void port_down(void)
{
	begin();
	report_of(IBV_EVENT_PORT_ERR, OTHER);
	goes_on(false, 0, "another port is down");
	report(IBV_EVENT_PORT_ERR);
	goes_on(true, 1, "the port is down");
	report_of(IBV_EVENT_PORT_ACTIVE, OTHER);
	goes_on(true, 1, "another port is up");
	report(IBV_EVENT_PORT_ACTIVE);
	goes_on(false, 2, "it is up again");
	ok(atomic_load(&vb.dev.port_up), "which is remembered");
}

static void second_rail(void)
{
	begin();
	vb.rail = 1;
	report(IBV_EVENT_PORT_ERR);
	goes_on(true, 1, "the port of a second rail is down");
	port.lid = 9;
	report(IBV_EVENT_LID_CHANGE);
	goes_on(true, 2, "a second rail with another LID");
	ok(atomic_load(&vb.dev.gone), "is not used any more");
	report(IBV_EVENT_DEVICE_FATAL);
	goes_on(true, 2, "which is said once");
}

static void lid(int event, const char *what)
{
	begin();
	port.lid = 9;
	report_of(event, OTHER);
	goes_on(false, 0, "another port's event");
	report(event);
	ends(MRT_ERR_RESOURCE, "LID from 7 to 9", what);
	begin();
	port.lid = 0;
	report(event);
	goes_on(false, 0, "a port that has lost its LID is down for now");
}

static void lids(void)
{
	lid(IBV_EVENT_LID_CHANGE, "another LID");
	lid(IBV_EVENT_SM_CHANGE, "another manager, which changes the LID");
	lid(IBV_EVENT_CLIENT_REREGISTER, "a restart that changes the LID");
	lid(IBV_EVENT_PORT_ACTIVE, "a LID that changed while it was down");
}

static void partitions(void)
{
	begin();
	pkey = 0x0001;
	report(IBV_EVENT_PKEY_CHANGE);
	goes_on(false, 0, "a limited member");
	pkey = 0xffff;
	report_of(IBV_EVENT_PKEY_CHANGE, OTHER);
	goes_on(false, 0, "another port's partitions");
	report(IBV_EVENT_PKEY_CHANGE);
	ends(MRT_ERR_RESOURCE, "from partition 0x8001", "no partition");
	begin();
	vb.dev.pkey = 0;
	pkey = 0xffff;
	report(IBV_EVENT_PKEY_CHANGE);
	goes_on(false, 0, "a partition that was not known");
}

static void addresses(void)
{
	begin();
	memset(&gid, 4, sizeof(gid));
	report_of(IBV_EVENT_GID_CHANGE, OTHER);
	goes_on(false, 0, "another port's address");
	report(IBV_EVENT_GID_CHANGE);
	goes_on(true, 1, "the address is lost");
	report(IBV_EVENT_PORT_ACTIVE);
	goes_on(true, 1, "an active port without its address");
	gid = vb.dev.gid;
	report(IBV_EVENT_GID_CHANGE);
	goes_on(false, 2, "the address is there again");
	begin();
	global = false;
	memset(&gid, 4, sizeof(gid));
	report(IBV_EVENT_GID_CHANGE);
	goes_on(false, 0, "another prefix where LIDs are the addresses");
}

int main(void)
{
	all_alone();
	port_down();
	second_rail();
	lids();
	partitions();
	addresses();
	return tap_done();
}
