// SPDX-License-Identifier: GPL-2.0
/* Registry of congestion controls. */
#include <linux/module.h>
#include "registry.h"
#include "cc.h"

static struct lapsmp_registry lapsmp_cc_registry = {
	.entries = LIST_HEAD_INIT(lapsmp_cc_registry.entries),
	.lock = __SPIN_LOCK_UNLOCKED(lapsmp_cc_registry.lock),
	.prefix = "lapsmp-cc",
};

static struct lapsmp_cc_ops * const lapsmp_cc_builtin[] = {
	&lapsmp_cc_laps,
	&lapsmp_cc_laps_paper,
	&lapsmp_cc_fixed,
};

/**
 * lapsmp_cc_register() - make a congestion control known
 * @ops: stays valid until it is unregistered
 *
 * Context: process.
 * Return: 0, -EINVAL, -EEXIST or -ENOMEM.
 */
int lapsmp_cc_register(struct lapsmp_cc_ops *ops)
{
	if (!ops->init || !ops->on_ack)
		return -EINVAL;
	return lapsmp_registry_add(&lapsmp_cc_registry, ops->name, ops->owner,
				   ops);
}
EXPORT_SYMBOL_GPL(lapsmp_cc_register);

/**
 * lapsmp_cc_unregister() - from its module's exit
 * @ops: registered, or not
 *
 * Context: process, may sleep.
 */
void lapsmp_cc_unregister(struct lapsmp_cc_ops *ops)
{
	lapsmp_registry_del(&lapsmp_cc_registry, ops);
}
EXPORT_SYMBOL_GPL(lapsmp_cc_unregister);

/**
 * lapsmp_cc_get() - by name, with a reference to its module
 * @name: any string
 * @may_load: ask modprobe for it
 *
 * Context: process with @may_load, any without.
 * Return: the ops or NULL.
 */
struct lapsmp_cc_ops *lapsmp_cc_get(const char *name, bool may_load)
{
	return lapsmp_registry_get(&lapsmp_cc_registry, name, may_load);
}

/**
 * lapsmp_cc_hold() - one more reference
 * @ops: known to be held
 */
void lapsmp_cc_hold(struct lapsmp_cc_ops *ops)
{
	lapsmp_registry_hold(ops->owner);
}

/**
 * lapsmp_cc_put() - give a reference back
 * @ops: held, or NULL
 */
void lapsmp_cc_put(struct lapsmp_cc_ops *ops)
{
	if (ops)
		lapsmp_registry_put(ops->owner);
}

/**
 * lapsmp_cc_name() - list what there is
 * @i: from 0
 * @name: LAPSMP_NAME_MAX bytes
 *
 * Return: false if there are not so many.
 */
bool lapsmp_cc_name(unsigned int i, char *name)
{
	return lapsmp_registry_name(&lapsmp_cc_registry, i, name);
}

/**
 * lapsmp_cc_exit() - forget the built-in ones
 */
void lapsmp_cc_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_cc_builtin); i++)
		lapsmp_cc_unregister(lapsmp_cc_builtin[i]);
}

/**
 * lapsmp_cc_init() - register the built-in ones
 *
 * Return: 0 or -ENOMEM; then nothing is registered.
 */
int lapsmp_cc_init(void)
{
	int err, i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_cc_builtin); i++) {
		err = lapsmp_cc_register(lapsmp_cc_builtin[i]);
		if (err) {
			lapsmp_cc_exit();
			return err;
		}
	}
	return 0;
}
