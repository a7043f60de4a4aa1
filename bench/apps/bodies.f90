! bodies.f90 - n bodies in clusters, by dls.F90 and by plain OpenMP: `make fortran`.
!
!   bodies [n [steps]]      OMP_NUM_THREADS and DLS_SCHEDULE are used
!
! Bodies attract each other up to a distance.  They lie in clusters of a power law of sizes, so that a body has a few neighbours
! or thousands: the iterations' costs differ widely, and neighbours in the array cost the same.  Bodies are sorted into the cells
! of a grid as wide as that distance; a step computes all forces, then moves all bodies.  Each force is summed in an order of
! its own, so all schedules give the same bits, which is checked; so is the energy, whose sum dls.F90 does reproducibly.
module bodies_model
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none

  real(real64), parameter :: reach = 0.02_real64, softening = 1e-4_real64, dt = 1e-4_real64
  integer, parameter :: cells = 50              ! along each side of the unit square
  integer :: n
  real(real64), allocatable :: x(:, :), v(:, :), f(:, :)        ! (2, n)
  integer, allocatable :: first(:)              ! body of each cell, row by row; behind the last, n + 1
  integer(int64) :: seed

contains

  ! Uniform in [0, 1): Knuth's 64-bit linear congruential generator; the high 53 bits.
  real(real64) function random()
    seed = seed * 6364136223846793005_int64 + 1442695040888963407_int64
    random = real(ishft(seed, -11), real64) * 2.0_real64 ** (-53)
  end function

  integer function cell_of(p)
    real(real64), intent(in) :: p(2)

    cell_of = 1 + min(cells - 1, int(cells * p(1))) + cells * min(cells - 1, int(cells * p(2)))
  end function

  subroutine place
    integer, parameter :: clusters = 40
    integer :: i, c
    real(real64) :: centre(2, clusters), width(clusters)

    seed = 1993
    do c = 1, clusters
      centre(:, c) = [0.1_real64 + 0.8_real64 * random(), 0.1_real64 + 0.8_real64 * random()]
      width(c) = 0.002_real64 * c
    end do
    do i = 1, n
      c = min(clusters, int(1 / (random() + 1.0_real64 / clusters)))    ! the first cluster has most bodies
      x(:, i) = centre(:, c) + width(c) * ([random(), random()] - 0.5_real64)
    end do
    v = 0
  end subroutine

  ! Sort the bodies by cells.
  subroutine sort
    integer :: i, c, next(cells * cells), cell(n)
    real(real64) :: y(2, n), w(2, n)

    first = 0
    do i = 1, n
      cell(i) = cell_of(x(:, i))
      first(cell(i) + 1) = first(cell(i) + 1) + 1
    end do
    first(1) = 1
    do c = 1, cells * cells
      first(c + 1) = first(c) + first(c + 1)
      next(c) = first(c)
    end do
    do i = 1, n
      y(:, next(cell(i))) = x(:, i)
      w(:, next(cell(i))) = v(:, i)
      next(cell(i)) = next(cell(i)) + 1
    end do
    x = y
    v = w
  end subroutine

  subroutine force(i)
    integer, intent(in) :: i
    integer :: column, row, j, c
    real(real64) :: d(2), r2, sum(2)

    column = min(cells - 1, int(cells * x(1, i)))
    row = min(cells - 1, int(cells * x(2, i)))
    sum = 0
    do c = cells * max(0, row - 1), cells * min(cells - 1, row + 1), cells
      do j = first(1 + c + max(0, column - 1)), first(2 + c + min(cells - 1, column + 1)) - 1
        d = x(:, j) - x(:, i)
        r2 = d(1) * d(1) + d(2) * d(2)
        if (r2 < reach * reach) sum = sum + d / (r2 + softening) / n
      end do
    end do
    f(:, i) = sum
  end subroutine

  subroutine move(i)
    integer, intent(in) :: i

    v(:, i) = v(:, i) + dt * f(:, i)
    x(:, i) = min(1.0_real64, max(0.0_real64, x(:, i) + dt * v(:, i)))
  end subroutine
end module

program bodies
  use bodies_model
  use dls
  use omp_lib
  implicit none

  integer, parameter :: runs = 5, ways = 5
  character(22), parameter :: way(ways) = [character(22) :: 'one thread', 'OpenMP static', 'OpenMP dynamic', 'OpenMP guided', &
      'libdls']
  integer :: steps, run, k, step
  real(real64), allocatable :: expected(:, :)
  real(real64) :: time(runs, ways), energy, wanted, begun
  logical :: right = .true.

  wanted = 0
  n = argument(1, 8000)
  steps = argument(2, 3)
  allocate (x(2, n), v(2, n), f(2, n), first(cells * cells + 1), expected(2, n))
  do run = 1, runs
    do k = 1, ways
      call place
      time(run, k) = 0
      do step = 1, steps
        call sort
        begun = omp_get_wtime()
        select case (k)
        case (1)
          call serial
        case (2)
          call with_openmp(omp_sched_static)
        case (3)
          call with_openmp(omp_sched_dynamic)
        case (4)
          call with_openmp(omp_sched_guided)
        case (5)
          call with_libdls
        end select
        time(run, k) = time(run, k) + omp_get_wtime() - begun
      end do
      if (run == 1 .and. k == 1) then
        expected = x
        wanted = energy
      end if
      if (any(abs(x - expected) > 0)) right = .false.
      if (k == ways .and. .not. abs(energy - wanted) <= 1e-9_real64 * wanted) right = .false.
    end do
  end do

  print '(i0, a, i0, a, i0, a)', n, ' bodies, ', steps, ' steps, ', omp_get_max_threads(), ' threads; medians, ms'
  do k = 1, ways
    print '(a, f10.1, f8.2)', way(k), 1e3 * median(time(:, k)), median(time(:, 1)) / median(time(:, k))
  end do
  print '(3a)', 'schedules of libdls: forces ', dls_site_schedule('forces'), merge('; right', '; WRONG', right)
  if (.not. right) error stop 1

contains

  integer function argument(k, default)
    integer, intent(in) :: k, default
    character(20) :: text
    integer :: status

    argument = default
    if (k > command_argument_count()) return
    call get_command_argument(k, text)
    read (text, *, iostat=status) argument
    if (status == 0 .and. argument > 0) return
    print '(3a)', 'bodies: "', trim(text), '" is no whole number above 0; usage: bodies [n [steps]]'
    stop 2
  end function

  real(real64) function median(value)
    real(real64), intent(in) :: value(:)
    integer :: i

    do i = 1, size(value)
      median = value(i)
      if (count(value < median) <= size(value) / 2 .and. count(value <= median) > size(value) / 2) return
    end do
  end function

  subroutine serial
    integer :: i

    do i = 1, n
      call force(i)
    end do
    energy = 0
    do i = 1, n
      call move(i)
      energy = energy + sum(v(:, i) ** 2) / 2
    end do
  end subroutine

  subroutine with_openmp(kind)
    integer(omp_sched_kind), intent(in) :: kind
    integer :: i

    call omp_set_schedule(kind, 0)
    energy = 0
    !$omp parallel
    !$omp do schedule(runtime)
    do i = 1, n
      call force(i)
    end do
    !$omp do schedule(static) reduction(+ : energy)
    do i = 1, n
      call move(i)
      energy = energy + sum(v(:, i) ** 2) / 2
    end do
    !$omp end parallel
  end subroutine

  subroutine with_libdls
    type(dls_region) :: region
    type(dls_loop) :: loop
    real(real64), target :: total
    real(real64) :: part
    integer :: i, lo, hi

    total = 0
    call dls_region_open(region)
    !$omp parallel firstprivate(region) private(loop, i, lo, hi, part)
    call dls_region_enter(region)
    call dls_for_begin(loop, 'forces', 1, n)
    do while (dls_for_next(loop, lo, hi))
      do i = lo, hi
        call force(i)
      end do
    end do
    call dls_for_begin(loop, 'moves', 1, n, schedule='static', reduce=dls_into('+', total))
    do while (dls_for_next(loop, lo, hi))
      part = 0
      do i = lo, hi
        call move(i)
        part = part + sum(v(:, i) ** 2) / 2
      end do
      call dls_partial(loop, part)
    end do
    call dls_region_leave(region)
    !$omp end parallel
    call dls_region_close(region)
    energy = total
  end subroutine
end program
