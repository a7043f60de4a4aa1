! results.f90 - what a Fortran program asks for besides its loops: reductions, which it prints bit by bit; schedules and
! statistics of a name; the report.  Fails if: a reduction is wrong, or a call does not do what dls_fortran(3) says.
module numbers
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use dls
  implicit none

  integer, parameter :: n = 10000
  integer :: wrong = 0

contains

  subroutine check(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what

    if (.not. right) then
      wrong = wrong + 1
      print '(a)', 'wrong: ' // what
    end if
  end subroutine

  ! In a region of the library, in a plain one, and alone: the same bits.
  subroutine sums
    type(dls_region) :: region
    real(real64), target :: total(3)

    total = 0.5_real64
    call dls_region_open(region)
    !$omp parallel firstprivate(region)
    call dls_region_enter(region)
    call harmonic(total(1))
    call dls_region_leave(region)
    !$omp end parallel
    call dls_region_close(region)
    !$omp parallel
    call harmonic(total(2))
    !$omp end parallel
    call harmonic(total(3))
    call check(all(total == total(1)), 'a sum in three regions')
    call check(abs(total(1) - 10.287606036044382_real64) < 1e-12_real64, 'the value of a sum')
    print '(z16.16)', transfer(total(1), 1_int64)
  end subroutine

  subroutine harmonic(total)
    real(real64), intent(inout), target :: total
    type(dls_loop) :: loop
    integer :: i, lo, hi
    real(real64) :: sum

    call dls_for_begin(loop, 'harmonic', 1, n, reduce=dls_into('+', total))
    do while (dls_for_next(loop, lo, hi))
      sum = 0
      do i = lo, hi
        sum = sum + 1 / real(i, real64)
      end do
      call dls_partial(loop, sum)
    end do
    call check(total > 10, 'the result behind the loop')
  end subroutine

  subroutine types
    type(dls_loop) :: loop
    integer(int32), target :: i32
    integer(int64), target :: i64
    real(real32), target :: r32
    complex(real32), target :: c32
    complex(real64), target :: c64
    integer(int64) :: i, lo, hi
    integer(int32) :: part

    i32 = 17
    i64 = 5
    r32 = 0
    c32 = (0, 0)
    c64 = (1, 0)
    !$omp parallel private(loop, i, lo, hi, part)
    call dls_for_begin(loop, 'ior', 1_int64, 20_int64, reduce=dls_into('ior', i32))
    do while (dls_for_next(loop, lo, hi))
      part = 0
      do i = lo, hi
        part = ior(part, ishft(1_int32, int(i)))
      end do
      call dls_partial(loop, part)
    end do
    call dls_for_begin(loop, 'min', 1000_int64, -1000_int64, -1_int64, reduce=dls_into('min', i64), nowait=.true.)
    do while (dls_for_next(loop, lo, hi))
      call dls_partial(loop, min(lo, hi))
    end do
    call dls_for_begin(loop, 'max', 1_int64, 1000_int64, reduce=dls_into('max', r32))
    do while (dls_for_next(loop, lo, hi))
      call dls_partial(loop, real(hi))
    end do
    call dls_for_begin(loop, 'complex', 1_int64, 1000_int64, reduce=dls_into('+', c32))
    do while (dls_for_next(loop, lo, hi))
      call dls_partial(loop, cmplx(hi - lo + 1, 1))
    end do
    call dls_for_begin(loop, 'product', 1_int64, 21_int64, reduce=dls_into('*', c64))
    do while (dls_for_next(loop, lo, hi))
      call dls_partial(loop, (0, 1) ** int(hi - lo + 1) * (1._real64, 0._real64))
    end do
    call dls_for_begin(loop, 'empty', 1_int64, 0_int64, reduce=dls_into('+', i64))
    do while (dls_for_next(loop, lo, hi))
      call check(.false., 'a block of an empty loop')
    end do
    !$omp end parallel
    call check(i32 == 2 ** 21 - 1, 'ior')
    call check(i64 == -1000, 'min, and + of nothing')
    call check(r32 == 1000, 'max')
    call check(real(c32) == 1000, 'complex +')
    call check(c64 == (0, 1), 'complex *')
  end subroutine

  subroutine execute(name, schedule)
    character(*), intent(in) :: name
    character(*), intent(in), optional :: schedule
    type(dls_loop) :: loop
    integer :: lo, hi

    !$omp parallel private(loop, lo, hi)
    call dls_for_begin(loop, name, 1, 1000, schedule=schedule)
    do while (dls_for_next(loop, lo, hi))
    end do
    !$omp end parallel
  end subroutine

  subroutine sites
    type(dls_stats) :: stats
    type(dls_worker_stats) :: part
    integer :: unit, status
    character(200) :: line

    call execute('known', 'gss,4')
    call check(dls_site_schedule('known') == 'gss,4', 'schedule= is used: ' // dls_site_schedule('known'))
    call check(dls_site_set_schedule('known', 'ss,10 ') == 0, 'dls_site_set_schedule')
    call check(dls_site_schedule('known  ') == 'ss,10', 'a schedule that is set')
    call check(dls_site_set_schedule('known', 'nonsense') == DLS_ENOENT, 'a schedule that is refused')
    call check(dls_site_set_measured('known', .true.) == 0, 'dls_site_set_measured')
    call execute('known')
    call check(dls_site_stats('known', stats) == 0, 'dls_site_stats')
    call check(stats%executions == 2 .and. stats%iterations == 2000, 'executions and iterations')
    call check(stats%measured == 1 .and. stats%measured_iterations == 1000, 'measured')
    call check(stats%chunks == 100 .or. stats%workers == 1, 'chunks')
    call check(dls_site_worker_stats('known', 0, part) == 0, 'dls_site_worker_stats')
    call check(part%iterations <= 1000, 'a worker')
    call check(dls_site_worker_stats('known', 99, part) == DLS_ERANGE, 'no such worker')
    call check(dls_site_set_schedule('known', ' ') == 0, 'a schedule that is taken away')
    call check(dls_site_schedule('known') == 'gss,4', 'the schedule of the source again')
    call check(dls_site_set_moments('known', 1e-6_real64, 0._real64) == 0, 'dls_site_set_moments')
    call check(dls_site_set_moments('known', -1._real64, 0._real64) == DLS_ERANGE, 'a negative mean')
    call check(dls_site_set_overhead('known', 1e-7_real64) == 0, 'dls_site_set_overhead')
    call check(dls_site_set_measured('', .true.) == DLS_EINVAL, 'no name')
    call check(dls_site_schedule('') == '', 'no name')
    call check(dls_strerror(DLS_ENOENT) /= dls_strerror(0), 'dls_strerror')
    call check(index(dls_version(), '.') > 0, 'dls_version')
    call check(dls_report('report.pdf') == DLS_EINVAL, 'a report of no known kind')
    call get_command_argument(1, line)
    call check(dls_report(line) == 0, 'dls_report')
    open (newunit=unit, file=line, iostat=status)
    do while (status == 0)
      read (unit, '(a)', iostat=status) line
      if (index(line, 'known') > 0) return
    end do
    call check(.false., 'the report has the loop')
  end subroutine
end module

program results
  use numbers
  implicit none

  call sums
  call types
  call sites
  if (wrong > 0) error stop 1
end program
