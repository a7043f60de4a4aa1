/* host.c - loads plug-ins, RTLD_LOCAL, and runs `twice` of each in turn, also within regions of its own; for static.sh.  With "fork" as the
 * first argument, a child runs before the parent. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long (*twice[8])(int), sum = 0, inner = 0;
	int n = 0, forked = argc > 1 && strcmp(argv[1], "fork") == 0;
	pid_t child = forked ? fork() : 1;

	for (int i = 1 + forked; i < argc; i++) {
		void *handle = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL), *symbol;

		if (!handle) {
			fprintf(stderr, "%s\n", dlerror());
			return 3;
		}
		symbol = dlsym(handle, "twice");
		memcpy(&twice[n++], &symbol, sizeof(symbol));
	}
	for (int k = 0; k < 10; k++)
		for (int i = 0; i < n; i++)
			sum += twice[i](100);
#pragma omp parallel for schedule(dynamic) reduction(+ : inner)
	for (int k = 0; k < 20; k++)
		for (int i = 0; i < n; i++)
			inner += twice[i](50);
	if (child == 0)
		_exit(sum != 2000L * n || inner != 2000L * n);
	if (forked && (waitpid(child, &forked, 0) != child || forked))
		return 1;
	printf("%ld %ld\n", sum / n, inner / n);
	return 0;
}
