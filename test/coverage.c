/* coverage.c - a process that ends by _exit() or abort() keeps its counts as well (`make coverage`). */
void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __real_abort(void);
_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap_abort(void);

_Noreturn void __wrap__exit(int code)
{
	__gcov_dump();
	__real__exit(code);
}

_Noreturn void __wrap_abort(void)
{
	__gcov_dump();
	__real_abort();
}
