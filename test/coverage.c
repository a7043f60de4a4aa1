/* coverage.c - a process that ends by _exit(), abort() or raise() keeps its counts as well, and one that is refused memory (`make coverage`). */
void __gcov_dump(void);
void __real___gcov_exit(void);
void __wrap___gcov_exit(void);
_Noreturn void __real__exit(int code);
_Noreturn void __real_abort(void);
int __real_raise(int signal);
_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap_abort(void);
int __wrap_raise(int signal);

extern int refuse_over __attribute__((weak));	/* refuse_tool.c, if it is preloaded */

/* What counts is refused nothing. */
static void grant(void)
{
	if (&refuse_over)
		refuse_over = 1;
}

void __wrap___gcov_exit(void)
{
	grant();
	__real___gcov_exit();
}

_Noreturn void __wrap__exit(int code)
{
	grant();
	__gcov_dump();
	__real__exit(code);
}

_Noreturn void __wrap_abort(void)
{
	grant();
	__gcov_dump();
	__real_abort();
}

int __wrap_raise(int signal)
{
	grant();
	__gcov_dump();
	return __real_raise(signal);
}
