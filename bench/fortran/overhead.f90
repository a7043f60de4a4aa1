! overhead.f90 - what a loop costs by dls.F90, beside the same loop by the C macros and by OpenMP: `make fortran`.
program overhead
  use, intrinsic :: iso_c_binding
  use omp_lib
  use dls
  implicit none

  integer, parameter :: rounds = 100
  integer, parameter :: lengths(3) = [2, 16, 128]
  real(c_double) :: work(64) = 0, fortran(rounds), c(rounds), openmp(rounds)

  abstract interface
    function twin_of(n, loops) bind(c)
      import
      integer(c_int), value :: n, loops
      real(c_double) :: twin_of
    end function
    function time_of(n, loops)
      import
      integer, intent(in) :: n, loops
      real(c_double) :: time_of
    end function
  end interface
  procedure(twin_of), bind(c) :: twin_region, twin_plain, twin_reduce

  print '(a, i0, a)', 'ns per loop of n iterations under ss, the least of many runs; ', omp_get_max_threads(), ' threads'
  print '(a)', '                n  Fortran        C    ratio  OpenMP'
  call rows('region', twin_region, region, dynamic)
  call rows('plain', twin_plain, plain, dynamic)
  call rows('reduce', twin_reduce, reduced, clause)
  if (sum(work) < 0) print *, work      ! the loops have an effect

contains

  subroutine rows(what, in_c, in_fortran, in_openmp)
    character(*), intent(in) :: what
    procedure(twin_of) :: in_c
    procedure(time_of) :: in_fortran, in_openmp
    integer :: k, n, round, loops

    do k = 1, size(lengths)
      n = lengths(k)
      loops = max(50, 5000 / (n + 10))
      do round = 1, rounds
        c(round) = in_c(n, loops)
        fortran(round) = in_fortran(n, loops)
        openmp(round) = in_openmp(n, loops)
      end do
      print '(a10, i7, 2f9.0, f9.2, f8.0)', what, n, 1e9 * minval(fortran), 1e9 * minval(c), minval(fortran) / minval(c), &
          1e9 * minval(openmp)
    end do
  end subroutine

  function region(n, loops)
    integer, intent(in) :: n, loops
    real(c_double) :: region
    type(dls_region) :: r
    type(dls_loop) :: loop
    integer :: i, lo, hi, k

    region = omp_get_wtime()
    call dls_region_open(r)
    !$omp parallel firstprivate(r) private(loop, i, lo, hi, k)
    call dls_region_enter(r)
    do k = 1, loops
      call dls_for_begin(loop, 'overhead of the region', 0, n - 1, schedule='ss')
      do while (dls_for_next(loop, lo, hi))
        do i = lo, hi
          work(8 * mod(i, 8) + 1) = work(8 * mod(i, 8) + 1) + i
        end do
      end do
    end do
    call dls_region_leave(r)
    !$omp end parallel
    call dls_region_close(r)
    region = (omp_get_wtime() - region) / loops
  end function

  function plain(n, loops)
    integer, intent(in) :: n, loops
    real(c_double) :: plain
    type(dls_loop) :: loop
    integer :: i, lo, hi, k

    plain = omp_get_wtime()
    !$omp parallel private(loop, i, lo, hi, k)
    do k = 1, loops
      call dls_for_begin(loop, 'overhead of plain', 0, n - 1, schedule='ss')
      do while (dls_for_next(loop, lo, hi))
        do i = lo, hi
          work(8 * mod(i, 8) + 1) = work(8 * mod(i, 8) + 1) + i
        end do
      end do
    end do
    !$omp end parallel
    plain = (omp_get_wtime() - plain) / loops
  end function

  function reduced(n, loops)
    integer, intent(in) :: n, loops
    real(c_double) :: reduced, part
    real(c_double), target :: total
    type(dls_region) :: r
    type(dls_loop) :: loop
    integer :: i, lo, hi, k

    total = 0
    reduced = omp_get_wtime()
    call dls_region_open(r)
    !$omp parallel firstprivate(r) private(loop, i, lo, hi, k, part)
    call dls_region_enter(r)
    do k = 1, loops
      call dls_for_begin(loop, 'overhead of reduce', 0, n - 1, schedule='ss', reduce=dls_into('+', total))
      do while (dls_for_next(loop, lo, hi))
        part = 0
        do i = lo, hi
          part = part + i
        end do
        call dls_partial(loop, part)
      end do
    end do
    call dls_region_leave(r)
    !$omp end parallel
    call dls_region_close(r)
    reduced = (omp_get_wtime() - reduced) / loops
    work(1) = work(1) + total
  end function

  function dynamic(n, loops)
    integer, intent(in) :: n, loops
    real(c_double) :: dynamic
    integer :: i, k

    dynamic = omp_get_wtime()
    !$omp parallel private(i, k)
    do k = 1, loops
      !$omp do schedule(dynamic)
      do i = 0, n - 1
        work(8 * mod(i, 8) + 1) = work(8 * mod(i, 8) + 1) + i
      end do
    end do
    !$omp end parallel
    dynamic = (omp_get_wtime() - dynamic) / loops
  end function

  function clause(n, loops)
    integer, intent(in) :: n, loops
    real(c_double) :: clause, total
    integer :: i, k

    total = 0
    clause = omp_get_wtime()
    !$omp parallel private(i, k)
    do k = 1, loops
      !$omp do schedule(dynamic) reduction(+ : total)
      do i = 0, n - 1
        total = total + i
      end do
    end do
    !$omp end parallel
    clause = (omp_get_wtime() - clause) / loops
    work(1) = work(1) + total
  end function
end program
