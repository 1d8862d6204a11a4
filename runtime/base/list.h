/* SPDX-License-Identifier: Apache-2.0 */
/* list.h: intrusive circular doubly linked lists. A node is in one list at a
 * time. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *next, *prev;
};

#define LIST_INIT(head)                                                        \
	{                                                                      \
		&(head), &(head)                                               \
	}
#define list_entry(ptr, type, member)                                          \
	((type *)(void *)((char *)(ptr)-offsetof(type, member)))
#define list_for_each(it, head)                                                \
	for (struct list *it = (head)->next; it != (head); it = it->next)
/* The body may remove `it`. */
#define list_for_each_safe(it, head)                                           \
	for (struct list *it = (head)->next, *it##_next = it->next;            \
	     it != (head); it = it##_next, it##_next = it->next)

static inline void list_init(struct list *head)
{
	head->next = head->prev = head;
}

static inline bool list_empty(const struct list *head)
{
	return head->next == head;
}

static inline void list_append(struct list *head, struct list *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

/* Leaves the node pointing to itself, so that removing it twice is harmless. */
static inline void list_remove(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	node->next = node->prev = node;
}

static inline struct list *list_pop(struct list *head)
{
	struct list *first = head->next;

	if (first == head)
		return NULL;
	list_remove(first);
	return first;
}
#endif
