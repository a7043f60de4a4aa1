/* view.c - views: the scheduler's knowledge of nodes and tasks, which the application reads while its
 * `balance` runs.  A view is valid only in the thread and the call for which it was opened: each function
 * checks that it is this thread's open view. */
#include "lib/base/sized.h"
#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

struct dls_view {
	struct dls_vp *vp;
	const struct dls_view_ops *ops;
	void *own;			/* the strategy's */
};

static _Thread_local const struct dls_view *open_view;

bool dls_vp_upcall(struct dls_vp *vp, unsigned task_class, unsigned node, const struct dls_view_ops *ops, void *own)
{
	const struct dls_class_desc *d = NULL;
	struct dls_view view = { .vp = vp, .ops = ops, .own = own };
	const struct dls_view *outer = open_view;
	int code;

	if (vp->machine->classes.of && dls__vp_below(vp, "dls_vp_upcall", "class", task_class, vp->machine->classes.count))
		d = &vp->machine->classes.of[task_class].desc;
	if (!d || !d->balance || vp->classes.upcalling)
		return false;
	vp->classes.upcalling = true;
	open_view = &view;
	code = d->balance(&view, node, d->context);
	open_view = outer;
	vp->classes.upcalling = false;
	if (code)
		dls__machine_fail(vp->machine, code);
	return true;
}

static bool is_open(const struct dls_view *view)
{
	return view && view == open_view;
}

static int check_class(const struct dls_view *view, unsigned task_class)
{
	if (!is_open(view))
		return DLS_EINVAL;
	return task_class < view->vp->machine->classes.count ? 0 : DLS_ENOENT;
}

static int check(const struct dls_view *view, unsigned task_class, unsigned node)
{
	int code = check_class(view, task_class);

	return code || node < view->ops->nodes(view->vp) ? code : DLS_ERANGE;
}

unsigned dls_view_nodes(const struct dls_view *view)
{
	return is_open(view) ? view->ops->nodes(view->vp) : 0;
}

int dls_view_status(const struct dls_view *view, unsigned task_class, unsigned node, struct dls_class_status *status)
{
	int code = check(view, task_class, node);
	struct dls_class_status s;

	if (code)
		return code;
	view->ops->status(view->vp, view->own, task_class, node, &s);
	return dls__sized_write(status, &s, sizeof(s));
}

int dls_view_next_key(const struct dls_view *view, unsigned task_class, int64_t *key)
{
	int code = check_class(view, task_class);

	if (!code && !key)
		code = DLS_EINVAL;
	return code ? code : view->ops->next_key(view->vp, view->own, task_class, key);
}

int dls_view_schedule(struct dls_view *view, unsigned task_class, unsigned node)
{
	int code = check(view, task_class, node);

	return code ? code : view->ops->schedule(view->vp, view->own, task_class, node);
}

int dls_view_hint(struct dls_view *view, unsigned task_class, const struct dls_hint *hint)
{
	int code = check_class(view, task_class);

	if (code)
		return code;
	if (!hint || hint->source == hint->destination)
		return DLS_EINVAL;
	if (check(view, task_class, hint->source) || check(view, task_class, hint->destination) || hint->count == 0)
		return DLS_ERANGE;
	return view->ops->hint(view->vp, view->own, task_class, hint);
}

int dls_view_plan(const struct dls_view *view, unsigned task_class, struct dls_hint *hint, unsigned most, unsigned *count)
{
	int code = check_class(view, task_class);

	if (!code && (!count || (!hint && most > 0)))
		code = DLS_EINVAL;
	if (!code)
		*count = view->ops->plan(view->vp, view->own, task_class, hint, most);
	return code;
}

int dls_view_balance(struct dls_view *view, unsigned task_class, unsigned node)
{
	int code = check(view, task_class, node);

	if (!code)
		view->ops->balance(view->vp, view->own, task_class, node);
	return code;
}

int dls_view_reserve(struct dls_view *view, unsigned task_class, unsigned node)
{
	int code = check(view, task_class, node);

	if (!code)
		view->ops->reserve(view->vp, view->own, task_class, node);
	return code;
}

int dls_view_release(struct dls_view *view, unsigned node)
{
	int code = check(view, 0, node);

	if (!code)
		view->ops->reserve(view->vp, view->own, DLS_CLASSES_MAX, node);
	return code;
}
