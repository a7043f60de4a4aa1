/* plugin.c - a shared library with OpenMP in it: `twice` counts each of n iterations twice; for static.sh. */
long twice(int n);

long twice(int n)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < n; i++)
			sum += 1;
#pragma omp for schedule(guided)
		for (int i = 0; i < n; i++)
			sum += 1;
	}
	return sum;
}
