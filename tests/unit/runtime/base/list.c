/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: tests runtime/base/list.h against an array as the model. */
#include "runtime/base/list.h"

#include "tests/tap.h"

enum { N = 64, STEPS = 20000 };

struct item {
	struct list link;
	int id;
	bool in;
};

static void test_empty(void)
{
	struct list head = LIST_INIT(head), other;

	list_init(&other);
	ok(list_empty(&head) && list_empty(&other), "new lists are empty");
	ok(!list_pop(&head), "pop of an empty list is NULL");
	list_for_each (it, &head)
		ok(0, "an empty list has nothing to walk");
}

static void test_remove_twice(void)
{
	struct list head = LIST_INIT(head), a, b;

	list_append(&head, &a);
	list_append(&head, &b);
	list_remove(&a);
	list_remove(&a);
	ok(head.next == &b && head.prev == &b, "removing twice is harmless");
	ok(list_pop(&head) == &b && list_empty(&head), "the rest is intact");
}

static void test_remove_while_walking(void)
{
	struct list head = LIST_INIT(head);
	struct item items[N];
	int left = 0;

	for (int i = 0; i < N; i++) {
		items[i].id = i;
		list_append(&head, &items[i].link);
	}
	list_for_each_safe (it, &head)
		if (list_entry(it, struct item, link)->id % 2)
			list_remove(it);
	list_for_each (it, &head)
		left += list_entry(it, struct item, link)->id == 2 * left;
	is_int(left, N / 2, "list_for_each_safe may remove the node");
}

/* The order in the list is the order in model[n]. */
static bool same(struct list *head, struct item **model, int n)
{
	int i = 0;

	list_for_each (it, head) {
		struct item *item = list_entry(it, struct item, link);

		if (i >= n || model[i++] != item || it->next->prev != it)
			return false;
	}
	return i == n;
}

static void test_random(void)
{
	struct list head = LIST_INIT(head);
	struct item items[N] = {0}, *model[N];
	int n = 0, bad = 0;

	srand(1);
	for (int step = 0; step < STEPS; step++) {
		struct item *item = &items[rand() % N];
		int at = 0;

		if (!item->in) {
			list_append(&head, &item->link);
			model[n++] = item;
			item->in = true;
		} else {
			while (model[at] != item)
				at++;
			memmove(&model[at], &model[at + 1],
				(size_t)(--n - at) * sizeof(model[0]));
			list_remove(&item->link);
			item->in = false;
		}
		bad += !same(&head, model, n);
	}
	is_int(bad, 0, "%d random steps agree with an array", STEPS);
}

int main(void)
{
	test_empty();
	test_remove_twice();
	test_remove_while_walking();
	test_random();
	return tap_done();
}
