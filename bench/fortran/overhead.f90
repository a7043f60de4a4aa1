! overhead.f90 - what a loop costs by dls.F90, beside the same loop by the C macros and by OpenMP: `make fortran`.
program overhead
  use, intrinsic :: iso_c_binding
  use omp_lib
  use dls
  implicit none

  integer, parameter :: rounds = 100
  integer, parameter :: lengths(3) = [2, 16, 128]
  real(c_double) :: work(64) = 0, fortran(rounds), c(rounds), openmp(rounds)
  integer :: k, n, round, loops

  interface
    function twin_region(n, loops) bind(c)
      import
      integer(c_int), value :: n, loops
      real(c_double) :: twin_region
    end function
    function twin_plain(n, loops) bind(c)
      import
      integer(c_int), value :: n, loops
      real(c_double) :: twin_plain
    end function
    function twin_reduce(n, loops) bind(c)
      import
      integer(c_int), value :: n, loops
      real(c_double) :: twin_reduce
    end function
  end interface

  print '(a, i0, a)', 'ns per loop of n iterations under ss, the least of many runs; ', omp_get_max_threads(), ' threads'
  print '(a)', '                n  Fortran        C    ratio  OpenMP'
  do k = 1, size(lengths)
    n = lengths(k)
    loops = max(50, 5000 / (n + 10))
    do round = 1, rounds
      c(round) = twin_region(n, loops)
      fortran(round) = region(n, loops)
      openmp(round) = dynamic(n, loops)
    end do
    call row('region', n)
  end do
  do k = 1, size(lengths)
    n = lengths(k)
    loops = max(50, 5000 / (n + 10))
    do round = 1, rounds
      c(round) = twin_plain(n, loops)
      fortran(round) = plain(n, loops)
      openmp(round) = dynamic(n, loops)
    end do
    call row('plain', n)
  end do
  do k = 1, size(lengths)
    n = lengths(k)
    loops = max(50, 5000 / (n + 10))
    do round = 1, rounds
      c(round) = twin_reduce(n, loops)
      fortran(round) = reduced(n, loops)
      openmp(round) = clause(n, loops)
    end do
    call row('reduce', n)
  end do
  if (sum(work) < 0) print *, work      ! the loops have an effect

contains

  subroutine row(what, n)
    character(*), intent(in) :: what
    integer, intent(in) :: n

    print '(a10, i7, 2f9.0, f9.2, f8.0)', what, n, 1e9 * minval(fortran), 1e9 * minval(c), minval(fortran) / minval(c), &
        1e9 * minval(openmp)
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
