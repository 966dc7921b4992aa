// SPDX-License-Identifier: GPL-2.0
/* Registry of schedulers. */
#include <linux/module.h>
#include "registry.h"
#include "sched.h"

static struct lapsmp_registry lapsmp_sched_registry = {
	.entries = LIST_HEAD_INIT(lapsmp_sched_registry.entries),
	.lock = __SPIN_LOCK_UNLOCKED(lapsmp_sched_registry.lock),
	.prefix = "lapsmp-sched",
};

static struct lapsmp_sched_ops * const lapsmp_sched_builtin[] = {
	&lapsmp_sched_laps,
	&lapsmp_sched_laps_paper,
	&lapsmp_sched_spray,
	&lapsmp_sched_ecmp,
};

/**
 * lapsmp_sched_register() - make a scheduler known
 * @ops: stays valid until it is unregistered
 *
 * Context: process.
 * Return: 0, -EINVAL, -EEXIST or -ENOMEM.
 */
int lapsmp_sched_register(struct lapsmp_sched_ops *ops)
{
	if (!ops->pick)
		return -EINVAL;
	return lapsmp_registry_add(&lapsmp_sched_registry, ops->name, ops->owner,
				   ops);
}
EXPORT_SYMBOL_GPL(lapsmp_sched_register);

/**
 * lapsmp_sched_unregister() - from its module's exit
 * @ops: registered, or not
 *
 * Context: process, may sleep.
 */
void lapsmp_sched_unregister(struct lapsmp_sched_ops *ops)
{
	lapsmp_registry_del(&lapsmp_sched_registry, ops);
}
EXPORT_SYMBOL_GPL(lapsmp_sched_unregister);

/**
 * lapsmp_sched_get() - by name, with a reference to its module
 * @name: any string
 * @may_load: ask modprobe for it
 *
 * Context: process with @may_load, any without.
 * Return: the ops or NULL.
 */
struct lapsmp_sched_ops *lapsmp_sched_get(const char *name, bool may_load)
{
	return lapsmp_registry_get(&lapsmp_sched_registry, name, may_load);
}

/**
 * lapsmp_sched_hold() - one more reference
 * @ops: known to be held
 */
void lapsmp_sched_hold(struct lapsmp_sched_ops *ops)
{
	lapsmp_registry_hold(ops->owner);
}

/**
 * lapsmp_sched_put() - give a reference back
 * @ops: held, or NULL
 */
void lapsmp_sched_put(struct lapsmp_sched_ops *ops)
{
	if (ops)
		lapsmp_registry_put(ops->owner);
}

/**
 * lapsmp_sched_name() - list what there is
 * @i: from 0
 * @name: LAPSMP_NAME_MAX bytes
 *
 * Return: false if there are not so many.
 */
bool lapsmp_sched_name(unsigned int i, char *name)
{
	return lapsmp_registry_name(&lapsmp_sched_registry, i, name);
}

/**
 * lapsmp_sched_exit() - forget the built-in ones
 */
void lapsmp_sched_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_sched_builtin); i++)
		lapsmp_sched_unregister(lapsmp_sched_builtin[i]);
}

/**
 * lapsmp_sched_init() - register the built-in ones
 *
 * Return: 0 or -ENOMEM; then nothing is registered.
 */
int lapsmp_sched_init(void)
{
	int err, i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_sched_builtin); i++) {
		err = lapsmp_sched_register(lapsmp_sched_builtin[i]);
		if (err) {
			lapsmp_sched_exit();
			return err;
		}
	}
	return 0;
}
