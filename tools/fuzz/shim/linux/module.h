/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_MODULE_H
#define _SHIM_LINUX_MODULE_H

#define THIS_MODULE	((struct module *)0)

#endif /* _SHIM_LINUX_MODULE_H */
