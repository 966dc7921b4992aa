/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's errors in words. */
#ifndef LAPSCTL_NL_ERROR_H
#define LAPSCTL_NL_ERROR_H

#include <libmnl/libmnl.h>

/**
 * nl_error_report() - say on standard error why a request failed
 * @req: the request
 * @msg: the answer, of type NLMSG_ERROR, or NLMSG_DONE of a dump that failed
 */
void nl_error_report(const struct nlmsghdr *req, const struct nlmsghdr *msg);

#endif /* LAPSCTL_NL_ERROR_H */
