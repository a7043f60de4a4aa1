! loops.f90 - a Fortran program's loops by dls.F90: every iteration runs once, whatever the kind of the index, the bounds, the
! step, the region and the schedule.  Fails if: an iteration is lost or comes twice, a bound is missed by one, or a region's
! threads do not wait at the end of a loop.
module checks
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use dls
  implicit none

  integer, parameter :: most = 5000
  integer :: seen(most), wrong = 0

contains

  subroutine check(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what

    if (.not. right) then
      wrong = wrong + 1
      print '(a)', 'wrong: ' // what
    end if
  end subroutine

  subroutine once(n, what)
    integer, intent(in) :: n
    character(*), intent(in) :: what

    call check(all(seen(:n) == 1) .and. all(seen(n + 1:) == 0), what)
  end subroutine

  ! A loop in whatever region calls this; iteration k of it is index first + (k - 1) step.
  subroutine loop32(first, last, step, name, nowait)
    integer(int32), intent(in) :: first, last, step
    character(*), intent(in) :: name
    logical, intent(in) :: nowait
    type(dls_loop) :: loop
    integer(int32) :: i, lo, hi, k

    call dls_for_begin(loop, name, first, last, step, nowait=nowait)
    do while (dls_for_next(loop, lo, hi))
      do i = lo, hi, step
        k = int((int(i, int64) - first) / step) + 1
        !$omp atomic
        seen(k) = seen(k) + 1
      end do
    end do
  end subroutine

  subroutine loop64(first, last, step, name, nowait)
    integer(int64), intent(in) :: first, last, step
    character(*), intent(in) :: name
    logical, intent(in) :: nowait
    type(dls_loop) :: loop
    integer(int64) :: i, lo, hi
    integer :: k

    call dls_for_begin(loop, name, first, last, step, nowait=nowait)
    do while (dls_for_next(loop, lo, hi))
      do i = lo, hi, step
        k = int((i - first) / step) + 1
        !$omp atomic
        seen(k) = seen(k) + 1
      end do
    end do
  end subroutine

  subroutine either(wide, first, last, step, name, nowait)
    logical, intent(in) :: wide, nowait
    integer(int64), intent(in) :: first, last, step
    character(*), intent(in) :: name

    if (wide) then
      call loop64(first, last, step, name, nowait)
    else
      call loop32(int(first, int32), int(last, int32), int(step, int32), name, nowait)
    end if
  end subroutine

  subroutine ranges
    integer(int64), parameter :: big32 = huge(1_int32), small32 = -big32 - 1
    integer(int64) :: big64, small64

    big64 = huge(big64)
    small64 = not(big64)
    ! Whether the index is int64, from, to, by, iterations.
    call range(.false., 1_int64, 1000_int64, 1_int64, 1000)
    call range(.false., 1_int64, 0_int64, 1_int64, 0)
    call range(.false., 1_int64, 5_int64, -1_int64, 0)
    call range(.false., 0_int64, 999_int64, 7_int64, 143)
    call range(.false., 1000_int64, 1_int64, -1_int64, 1000)
    call range(.false., 1000_int64, -999_int64, -3_int64, 667)
    call range(.false., big32 - 999, big32, 1_int64, 1000)
    call range(.false., big32 - 999, big32, 4_int64, 250)
    call range(.false., small32 + 999, small32, -1_int64, 1000)
    call range(.false., small32, small32 + 10, 1_int64, 11)
    call range(.false., small32, big32 - 1, 2000000_int64, 2148)
    call range(.false., big32, small32, -big32, 3)
    call range(.true., 1_int64, 1000_int64, 1_int64, 1000)
    call range(.true., 5_int64, 4_int64, 1_int64, 0)
    call range(.true., 3000000000_int64, 3000000000_int64 - 1998, -2_int64, 1000)
    call range(.true., big64 - 999, big64, 1_int64, 1000)
    call range(.true., big64 - 999, big64, 10_int64, 100)
    call range(.true., small64 + 999, small64, -1_int64, 1000)
    call range(.true., big64, big64 - 600, -6_int64, 101)
    call range(.true., small64, small64 + 4999, 1_int64, 5000)
  end subroutine

  subroutine range(wide, first, last, step, n)
    logical, intent(in) :: wide
    integer(int64), intent(in) :: first, last, step
    integer, intent(in) :: n
    type(dls_region) :: region
    character(120) :: what

    write (what, '(4(a, i0))') 'int', merge(64, 32, wide), ' from ', first, ' to ', last, ' by ', step
    seen = 0
    call either(wide, first, last, step, 'alone', .false.)
    call once(n, trim(what) // ', alone')
    seen = 0
    !$omp parallel
    call either(wide, first, last, step, 'plain', wide)
    !$omp end parallel
    call once(n, trim(what) // ', in a plain region')
    seen = 0
    call dls_region_open(region)
    !$omp parallel firstprivate(region)
    call dls_region_enter(region)
    call either(wide, first, last, step, 'region', .not. wide)
    call dls_region_leave(region)
    !$omp end parallel
    call dls_region_close(region)
    call once(n, trim(what) // ', in a region')
  end subroutine

  ! The first iteration lasts until a thread has passed the loop's end, which none may, or for a while.
  subroutine slow(name, passed)
    character(*), intent(in) :: name
    integer, intent(inout) :: passed
    type(dls_loop) :: loop
    integer :: lo, hi, seen_passed
    integer(int64) :: now, until, rate

    call dls_for_begin(loop, name, 1, 100, schedule='ss')
    do while (dls_for_next(loop, lo, hi))
      if (lo > 1) cycle
      call system_clock(until, rate)
      until = until + rate / 20
      do
        !$omp atomic read
        seen_passed = passed
        call system_clock(now)
        if (seen_passed /= 0 .or. now > until) exit
      end do
      call check(seen_passed == 0, 'no barrier behind ' // name)
    end do
    !$omp atomic write
    passed = 1
  end subroutine

  subroutine waiting
    type(dls_region) :: region
    integer :: passed

    passed = 0
    !$omp parallel
    call slow('a loop of a plain region', passed)
    !$omp end parallel
    passed = 0
    call dls_region_open(region)
    !$omp parallel firstprivate(region)
    call dls_region_enter(region)
    call slow('a loop of a region', passed)
    call dls_region_leave(region)
    !$omp end parallel
    call dls_region_close(region)
  end subroutine

  ! More loops under way than a segment of the library's chain holds.
  subroutine chain
    type(dls_region) :: region
    type(dls_loop) :: loop
    integer :: i, lo, hi, k, count(300)
    character(3) :: digits

    count = 0
    call dls_region_open(region)
    !$omp parallel firstprivate(region) private(loop, i, lo, hi, k, digits)
    call dls_region_enter(region)
    do k = 1, size(count)
      write (digits, '(i0)') k
      call dls_for_begin(loop, 'chain ' // digits, 1, 10, schedule='ss', nowait=.true.)
      do while (dls_for_next(loop, lo, hi))
        do i = lo, hi
          !$omp atomic
          count(k) = count(k) + i
        end do
      end do
    end do
    call dls_region_leave(region)
    !$omp end parallel
    call dls_region_close(region)
    call check(all(count == 55), 'a chain of loops without barriers, each with a name of its own')
  end subroutine

  subroutine nested
    type(dls_region) :: outer, inner
    type(dls_loop) :: loop, within
    integer :: i, j, lo, hi, from, to, sum

    sum = 0
    call dls_region_open(outer)
    !$omp parallel firstprivate(outer) private(inner, loop, lo, hi, i)
    call dls_region_enter(outer)
    call dls_for_begin(loop, 'outer', 1, 10)
    do while (dls_for_next(loop, lo, hi))
      do i = lo, hi
        call dls_region_open(inner)
        !$omp parallel firstprivate(inner) private(within, from, to, j) num_threads(2)
        call dls_region_enter(inner)
        call dls_for_begin(within, 'inner', 1, 10)
        do while (dls_for_next(within, from, to))
          do j = from, to
            !$omp atomic
            sum = sum + i * j
          end do
        end do
        call dls_region_leave(inner)
        !$omp end parallel
        call dls_region_close(inner)
      end do
    end do
    call dls_region_leave(outer)
    !$omp end parallel
    call dls_region_close(outer)
    call check(sum == 55 * 55, 'nested regions')
  end subroutine

  subroutine see32(i)
    integer(int32), intent(in) :: i
    integer(int32) :: k

    k = 1 + i / 3
    !$omp atomic
    seen(k) = seen(k) + 1
  end subroutine

  subroutine see64(i)
    integer(int64), intent(in) :: i
    integer :: k

    k = int(huge(i) - i) + 1
    !$omp atomic
    seen(k) = seen(k) + 1
  end subroutine

  subroutine see_chunk32(lo, hi)
    integer(int32), intent(in) :: lo, hi
    integer(int32) :: i

    call check(mod(lo - 1, 8) == 0, 'a chunk begins at a multiple')
    do i = lo, hi
      !$omp atomic
      seen(i) = seen(i) + 1
    end do
  end subroutine

  subroutine see_chunk64(lo, hi)
    integer(int64), intent(in) :: lo, hi
    integer(int64) :: i

    do i = lo, hi, -1
      !$omp atomic
      seen(i) = seen(i) + 1
    end do
  end subroutine

  subroutine parallel_forms
    seen = 0
    call dls_parallel_do(see32, 'do', 0, 2997, 3)
    call once(1000, 'dls_parallel_do, int32')
    seen = 0
    call dls_parallel_do(see64, 'do', huge(1_int64) - 999, huge(1_int64), schedule='gss')
    call once(1000, 'dls_parallel_do, int64')
    seen = 0
    call dls_parallel_chunks(see_chunk32, 'chunks', 1, 1000, schedule='ss', multiple=8)
    call once(1000, 'dls_parallel_chunks, int32')
    seen = 0
    call dls_parallel_chunks(see_chunk64, 'chunks', 1000_int64, 1_int64, -1_int64)
    call once(1000, 'dls_parallel_chunks, int64')
  end subroutine
end module

program loops
  use checks
  implicit none

  call ranges
  call waiting
  call chain
  call nested
  call parallel_forms
  if (wrong > 0) error stop 1
end program
