#!/bin/sh
# arch.sh - a compiler for another architecture whose programs run here: test/arch.sh aarch64 gcc ARGUMENTS
#
# It is Debian's cross compiler, called with the same arguments.  A program that it links is moved to PROGRAM.elf; PROGRAM
# becomes a script that has qemu-user run it.  So make, the tests and the tools start it like any other.
arch=$1 tool=$2
shift 2
case $arch in
i686) emulator=qemu-i386 triple=i686-linux-gnu ;;
ppc64le) emulator=qemu-ppc64le triple=powerpc64le-linux-gnu ;;
*) emulator=qemu-$arch triple=$arch-linux-gnu ;;
esac
command -v "$triple-$tool" >/dev/null || { echo "$triple-$tool is not installed (package $tool-$triple)" >&2; exit 3; }
command -v $emulator >/dev/null || { echo "$emulator is not installed (package qemu-user)" >&2; exit 3; }
set -- -DTAP_EMULATED=1 "$@"	# for tests of what qemu-user cannot do
# x87 registers round twice; with SSE2 doubles are those of the other architectures.  psabi: notes on gcc before 11.
# rpath: or programs get the linker of this C library and another build's libc.so.6, of package libc6-i386.
[ "$arch" != i686 ] || set -- -msse2 -mfpmath=sse -Wno-psabi -Wl,-rpath,/usr/$triple/lib "$@"
"$triple-$tool" "$@" || exit

program=a.out before=
for argument; do
	case $argument in
	-c | -S | -E | -M | -MM | -r | -shared | -fsyntax-only | -print-* | --version | -v | -dump*) exit 0 ;;
	esac
	[ "$before" != -o ] || program=$argument
	before=$argument
done
[ -f "$program" ] || exit 0	/* a device: only whether it links was asked */
mv "$program" "$program.elf" || exit
cat >"$program" <<END
#!/bin/sh
exec $emulator -L /usr/$triple -0 "\$0" '$(realpath "$program").elf' "\$@"
END
chmod +x "$program"
