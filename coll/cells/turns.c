/* SPDX-License-Identifier: Apache-2.0 */
/* turns.c: a queue of turns. */
#include "coll/cells/turns.h"

#include "runtime/engine/wait.h"

void turns_init(struct turns *t)
{
	*t = (struct turns){0};
	list_init(&t->queue);
}

static void turns_take(struct turns *t, struct turn *turn)
{
	t->owner = turn;
	t->number++;
}

bool turns_enter(struct turns *t, struct turn *turn, bool free)
{
	if (turns_idle(t) && free) {
		turns_take(t, turn);
		return true;
	}
	list_append(&t->queue, &turn->link);
	return false;
}

bool turns_next(struct turns *t)
{
	struct turn *turn;

	if (!turns_first(t))
		return false;
	turn = list_entry(list_pop(&t->queue), struct turn, link);
	turns_take(t, turn);
	turn->begin(turn);
	return true;
}

bool turns_leave(struct turns *t, struct turn *turn)
{
	if (t->owner != turn) {
		list_remove(&turn->link);
		return false;
	}
	t->owner = NULL;
	return true;
}

int turns_drain(const struct turns *t, const char *text,
		struct idle_timeout *limit)
{
	WAIT(w, wait_text, text);
	int rc = 0;

	while (!turns_idle(t) && !rc) {
		rc = wait_poll(&w);
		if (!rc && limit && idle_timeout_over(limit, &w))
			break;
	}
	return rc;
}
