/* fork.c - for fork.sh: forks while another thread is within libdls-omp.so, and has the child run a loop that is new to it.  The library
 * is then at its call of dlopen() that looks for the runtime, which comes here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int there[2];	/* a pipe, by which the other thread says that it is within */

void *dlopen(const char *path, int how)
{
	void *(*next)(const char *, int);
	void *symbol = dlsym(RTLD_NEXT, "dlopen");

	__builtin_memcpy(&next, &symbol, sizeof(next));
	/* Time to fork; where fork() waits for this thread, none is too long. */
	if (there[1] && write(there[1], "", 1) == 1)
		nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
	return next(path, how);
}

static void *loop(void *arg)
{
	int sum = 0;

	(void)arg;
#pragma omp parallel for schedule(dynamic) num_threads(1) reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	return sum == 4950 ? there : NULL;
}

static int in_child(void)
{
	int sum = 0;

	there[1] = 0;
	alarm(60);
#pragma omp parallel for schedule(dynamic) num_threads(1) reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	return sum != 45;
}

int main(void)
{
	pthread_t thread;
	void *right;
	char byte;
	int status;
	pid_t pid;

	omp_get_max_threads();	/* a runtime that forks while it begins is not this library's matter */
	if (pipe(there) || pthread_create(&thread, NULL, loop, NULL) || read(there[0], &byte, 1) != 1)
		return 2;
	pid = fork();
	if (pid == 0)
		_exit(in_child());
	if (waitpid(pid, &status, 0) != pid || pthread_join(thread, &right))
		return 2;
	printf("child %s, thread %s\n", WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "right" : "hung", right ? "right" : "wrong");
	return 0;
}
