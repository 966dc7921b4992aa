// SPDX-License-Identifier: GPL-2.0
/* Netlink: schedulers and congestion controls. */
#include <net/sock.h>
#include "nl_util.h"
#include "policy.h"

static int lapsmp_nl_policy_fill(struct sk_buff *skb, const char *name,
				 const char *def)
{
	return nla_put_string(skb, LAPSMP_A_POLICY_NAME, name) ?:
	       (strcmp(name, def) ? 0 :
		nla_put_flag(skb, LAPSMP_A_POLICY_DEFAULT));
}

static void lapsmp_nl_policy_default(struct lapsmp_net *ln,
				     const struct lapsmp_policy_kind *kind,
				     char *name)
{
	lapsmp_policy_name(ln, kind, kind->slot(ln), name);
}

/* They are few; a dump goes on with the next number. */
static int lapsmp_nl_policy_dump(struct sk_buff *skb,
				 struct netlink_callback *cb, u8 cmd,
				 const struct lapsmp_policy_kind *kind)
{
	char name[LAPSMP_NAME_MAX], def[LAPSMP_NAME_MAX];
	unsigned long *at = (unsigned long *)cb->ctx;
	void *hdr;

	if (lapsmp_dump_attrs(cb)[LAPSMP_A_POLICY_NAME]) {
		NL_SET_ERR_MSG(cb->extack, "a dump is not of one name");
		return -EINVAL;
	}
	lapsmp_nl_policy_default(lapsmp_net(sock_net(skb->sk)), kind, def);
	for (; kind->nth(*at, name); (*at)++) {
		hdr = lapsmp_nl_dump_begin(skb, cb, cmd);
		if (!hdr)
			break;
		if (lapsmp_nl_policy_fill(skb, name, def)) {
			genlmsg_cancel(skb, hdr);
			break;
		}
		genlmsg_end(skb, hdr);
	}
	return skb->len;
}

static bool lapsmp_nl_policy_is_there(const struct lapsmp_policy_kind *kind,
				      const char *wanted)
{
	char name[LAPSMP_NAME_MAX];
	unsigned int i;

	for (i = 0; kind->nth(i, name); i++)
		if (!strcmp(name, wanted))
			return true;
	return false;
}

static int lapsmp_nl_policy_unknown(struct genl_info *info,
				    const struct lapsmp_policy_kind *kind,
				    int err)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_POLICY_NAME];

	if (kind == &lapsmp_policy_sched)
		LAPSMP_ERR_VALUE(info->extack, attr, "unknown scheduler", "%s",
				 (char *)nla_data(attr));
	else
		LAPSMP_ERR_VALUE(info->extack, attr,
				 "unknown congestion control", "%s",
				 (char *)nla_data(attr));
	return err;
}

static int lapsmp_nl_policy_get(struct genl_info *info,
				const struct lapsmp_policy_kind *kind)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_POLICY_NAME];
	char def[LAPSMP_NAME_MAX];
	struct lapsmp_nl_reply r;
	int err;

	if (attr && !lapsmp_nl_policy_is_there(kind, nla_data(attr)))
		return lapsmp_nl_policy_unknown(info, kind, -ENOENT);
	lapsmp_nl_policy_default(lapsmp_net(genl_info_net(info)), kind, def);
	err = lapsmp_nl_reply_begin(&r, info);
	if (err)
		return err;
	err = lapsmp_nl_policy_fill(r.skb, attr ? nla_data(attr) : def, def);
	return lapsmp_nl_reply_end(&r, info, err);
}

static int lapsmp_nl_policy_set(struct genl_info *info,
				const struct lapsmp_policy_kind *kind)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_POLICY_NAME];
	int err;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "name is missing");
		return -EINVAL;
	}
	err = lapsmp_policy_set_default(lapsmp_net(genl_info_net(info)), kind,
					nla_data(attr));
	return err ? lapsmp_nl_policy_unknown(info, kind, err) : 0;
}

int lapsmp_nl_sched_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lapsmp_nl_policy_get(info, &lapsmp_policy_sched);
}

int lapsmp_nl_sched_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return lapsmp_nl_policy_dump(skb, cb, LAPSMP_CMD_SCHED_GET,
				     &lapsmp_policy_sched);
}

int lapsmp_nl_sched_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lapsmp_nl_policy_set(info, &lapsmp_policy_sched);
}

int lapsmp_nl_cc_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lapsmp_nl_policy_get(info, &lapsmp_policy_cc);
}

int lapsmp_nl_cc_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return lapsmp_nl_policy_dump(skb, cb, LAPSMP_CMD_CC_GET,
				     &lapsmp_policy_cc);
}

int lapsmp_nl_cc_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lapsmp_nl_policy_set(info, &lapsmp_policy_cc);
}
