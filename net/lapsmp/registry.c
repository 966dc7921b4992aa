// SPDX-License-Identifier: GPL-2.0
/*
 * A list of named things that modules provide.
 *
 * Users hold the provider's module, not the entry, so that looking up a name
 * costs no lock and using what was found costs nothing. What this module itself
 * provides is not counted: its own code cannot go while it runs, and a namespace
 * that holds its default policy must not keep the module from being removed.
 */
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "registry.h"

struct lapsmp_registry_entry {
	struct list_head	node;
	const char		*name;
	struct module		*owner;
	void			*ops;
};

static struct module *lapsmp_registry_counted(struct module *owner)
{
	return owner == THIS_MODULE ? NULL : owner;
}

static bool lapsmp_registry_name_valid(const char *name)
{
	size_t len;

	if (!name)
		return false;
	len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return len && len < LAPSMP_NAME_MAX && !name[len];
}

/* Context: RCU or r->lock held. */
static struct lapsmp_registry_entry *
lapsmp_registry_find(struct lapsmp_registry *r, const char *name)
{
	struct lapsmp_registry_entry *e;

	list_for_each_entry_rcu(e, &r->entries, node,
				lockdep_is_held(&r->lock))
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

/**
 * lapsmp_registry_add() - make something known by name
 * @r: registry
 * @name: stays valid as long as the entry
 * @owner: module to hold while it is used
 * @ops: what lapsmp_registry_get() returns
 *
 * Context: process.
 * Return: 0, -EINVAL (name not valid), -EEXIST (name taken), -ENOMEM.
 */
int lapsmp_registry_add(struct lapsmp_registry *r, const char *name,
			struct module *owner, void *ops)
{
	struct lapsmp_registry_entry *e;
	int err = 0;

	if (!lapsmp_registry_name_valid(name))
		return -EINVAL;
	e = kzalloc(sizeof(*e), GFP_KERNEL);
	if (!e)
		return -ENOMEM;
	e->name = name;
	e->owner = lapsmp_registry_counted(owner);
	e->ops = ops;

	spin_lock(&r->lock);
	if (lapsmp_registry_find(r, name))
		err = -EEXIST;
	else
		list_add_tail_rcu(&e->node, &r->entries);
	spin_unlock(&r->lock);

	if (err)
		kfree(e);
	return err;
}

/**
 * lapsmp_registry_del() - take something out
 * @r: registry
 * @ops: what was added; nothing happens if it is not there
 *
 * Context: process, may sleep: afterwards no lookup can still see it.
 */
void lapsmp_registry_del(struct lapsmp_registry *r, const void *ops)
{
	struct lapsmp_registry_entry *e, *found = NULL;

	spin_lock(&r->lock);
	list_for_each_entry(e, &r->entries, node) {
		if (e->ops == ops) {
			found = e;
			list_del_rcu(&e->node);
			break;
		}
	}
	spin_unlock(&r->lock);
	if (!found)
		return;
	synchronize_rcu();
	kfree(found);
}

static void *lapsmp_registry_try_get(struct lapsmp_registry *r,
				     const char *name)
{
	struct lapsmp_registry_entry *e;
	void *ops = NULL;

	rcu_read_lock();
	e = lapsmp_registry_find(r, name);
	if (e && try_module_get(e->owner))
		ops = e->ops;
	rcu_read_unlock();
	return ops;
}

/**
 * lapsmp_registry_get() - by name, with a reference to the provider's module
 * @r: registry
 * @name: any string
 * @may_load: ask modprobe for a name that is valid and not known
 *
 * Context: process with @may_load, any without.
 * Return: what was added, or NULL.
 */
void *lapsmp_registry_get(struct lapsmp_registry *r, const char *name,
			  bool may_load)
{
	void *ops = lapsmp_registry_try_get(r, name);

	if (ops || !may_load || !lapsmp_registry_name_valid(name))
		return ops;
	request_module("%s-%s", r->prefix, name);
	return lapsmp_registry_try_get(r, name);
}

/**
 * lapsmp_registry_hold() - one more reference
 * @owner: of something that is known to be held
 */
void lapsmp_registry_hold(struct module *owner)
{
	__module_get(lapsmp_registry_counted(owner));
}

/**
 * lapsmp_registry_put() - give a reference back
 * @owner: of what was held
 */
void lapsmp_registry_put(struct module *owner)
{
	module_put(lapsmp_registry_counted(owner));
}

/**
 * lapsmp_registry_name() - list what there is
 * @r: registry
 * @i: from 0
 * @name: LAPSMP_NAME_MAX bytes
 *
 * Return: false if there are not so many.
 */
bool lapsmp_registry_name(struct lapsmp_registry *r, unsigned int i, char *name)
{
	struct lapsmp_registry_entry *e;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(e, &r->entries, node) {
		if (!i--) {
			strscpy(name, e->name, LAPSMP_NAME_MAX);
			found = true;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}
