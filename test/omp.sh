# omp.sh - what the tests of loops of OpenMP share: `. test/omp.sh` in place of sh.sh.
# shellcheck shell=sh disable=SC2034 # used by those who source it
. test/sh.sh
plain_builds_only
glibc_builds_only
unset DLS_OMP
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false	# other programs run as well

under_dls_run() {
	dls_run=$(realpath "$bin/dls-run" 2>/dev/null) && [ -x "$dls_run" ] || skip_all "$bin/dls-run is not built"
}

# The library and refuse.so of the scratch folder are preloaded by their names, since LD_PRELOAD cannot quote a blank.
preloaded() {
	[ -f "$build/libdls-omp.so" ] || skip_all 'libdls-omp.so is not built'
	export LD_LIBRARY_PATH="$(realpath "$build"):$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	preload=libdls-omp.so
}
