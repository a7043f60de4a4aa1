! dls/mpi.F90 - module dls_mpi: loops across the ranks of an MPI program, in Fortran.  Compile it with the program; link libdls-mpi.
!
!   call dls_mpi_open(mpi, comm, error)              ! all ranks; comm: MPI_COMM_WORLD, or comm%mpi_val of mpi_f08
!   call dls_mpi_loop_open(loop, mpi, 'fac2', error) ! all ranks
!   call dls_mpi_loop_start(loop, 1_8, n, error)     ! all ranks; the last is included
!   do while (dls_mpi_loop_next(loop, lo, hi))
!     do i = lo, hi                                  ! each i on one of the ranks
!       call body(i)
!     end do
!   end do
!   call dls_mpi_loop_end(loop, error)               ! all ranks
!   call dls_mpi_loop_close(loop);  call dls_mpi_close(mpi)
!
! As the functions of C: see dls_mpi(3).  error is 0 or one of its codes, and optional: without it an error ends the program.
module dls_mpi
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: dls_mpi_type, dls_mpi_loop, dls_mpi_open, dls_mpi_close, dls_mpi_poke
  public :: dls_mpi_loop_open, dls_mpi_loop_start, dls_mpi_loop_next, dls_mpi_loop_end, dls_mpi_loop_close

  type :: dls_mpi_type
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  type :: dls_mpi_loop
    private
    type(c_ptr) :: handle = c_null_ptr
    integer(c_int64_t) :: step = 1
  end type

  interface
    function c_open(mpi, comm) bind(c, name='dls__mpi_fortran_open') result(code)
      import
      type(c_ptr), intent(out) :: mpi
      integer(c_int), value :: comm
      integer(c_int) :: code
    end function
    function c_close(mpi) bind(c, name='dls_mpi_close') result(code)
      import
      type(c_ptr), value :: mpi
      integer(c_int) :: code
    end function
    subroutine c_poke(mpi) bind(c, name='dls_mpi_poke')
      import
      type(c_ptr), value :: mpi
    end subroutine
    function c_loop_open(loop, mpi, workers, schedule) bind(c, name='dls_mpi_loop_open') result(code)
      import
      type(c_ptr), intent(out) :: loop
      type(c_ptr), value :: mpi, schedule
      integer(c_int), value :: workers
      integer(c_int) :: code
    end function
    function c_start(loop, begin, past, step) bind(c, name='dls_mpi_loop_start') result(code)
      import
      type(c_ptr), value :: loop
      integer(c_int64_t), value :: begin, past, step
      integer(c_int) :: code
    end function
    function c_next(loop, worker, begin, past) bind(c, name='dls_mpi_loop_next') result(taken)
      import
      type(c_ptr), value :: loop
      integer(c_int), value :: worker
      integer(c_int64_t), intent(out) :: begin, past
      logical(c_bool) :: taken
    end function
    function c_end(loop, iterations) bind(c, name='dls_mpi_loop_end') result(code)
      import
      type(c_ptr), value :: loop
      integer(c_int64_t), intent(out) :: iterations
      integer(c_int) :: code
    end function
    function c_loop_close(loop) bind(c, name='dls_mpi_loop_close') result(code)
      import
      type(c_ptr), value :: loop
      integer(c_int) :: code
    end function
  end interface

contains

  subroutine report(what, code, error)
    character(*), intent(in) :: what
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: error

    if (present(error)) then
      error = code
    else if (code /= 0) then
      print '(3a, i0)', 'dls_mpi: ', what, ': error ', code
      error stop 1
    end if
  end subroutine

  subroutine dls_mpi_open(mpi, comm, error)
    type(dls_mpi_type), intent(out) :: mpi
    integer, intent(in) :: comm
    integer, intent(out), optional :: error

    call report('dls_mpi_open', c_open(mpi%handle, int(comm, c_int)), error)
  end subroutine

  subroutine dls_mpi_close(mpi, error)
    type(dls_mpi_type), intent(inout) :: mpi
    integer, intent(out), optional :: error

    call report('dls_mpi_close', c_close(mpi%handle), error)
    mpi%handle = c_null_ptr
  end subroutine

  subroutine dls_mpi_poke(mpi)
    type(dls_mpi_type), intent(in) :: mpi

    call c_poke(mpi%handle)
  end subroutine

  ! schedule: blank or left out: that of rank 0's environment.  workers: of this rank, 1 if left out.
  subroutine dls_mpi_loop_open(loop, mpi, schedule, error, workers)
    type(dls_mpi_loop), intent(out) :: loop
    type(dls_mpi_type), intent(in) :: mpi
    character(*), intent(in), optional :: schedule
    integer, intent(out), optional :: error
    integer, intent(in), optional :: workers
    character(kind=c_char, len=:), allocatable, target :: text
    type(c_ptr) :: at
    integer(c_int) :: number

    at = c_null_ptr
    number = 1
    if (present(workers)) number = int(workers, c_int)
    if (present(schedule)) then
      if (len_trim(schedule) > 0) then
        text = trim(schedule) // c_null_char
        at = c_loc(text)
      end if
    end if
    call report('dls_mpi_loop_open', c_loop_open(loop%handle, mpi%handle, number, at), error)
  end subroutine

  ! first, first + step, ... up to last, which is included.
  subroutine dls_mpi_loop_start(loop, first, last, error, step)
    type(dls_mpi_loop), intent(inout) :: loop
    integer(c_int64_t), intent(in) :: first, last
    integer, intent(out), optional :: error
    integer(c_int64_t), intent(in), optional :: step

    loop%step = 1
    if (present(step)) loop%step = step
    call report('dls_mpi_loop_start', c_start(loop%handle, first, last + sign(1_c_int64_t, loop%step), loop%step), error)
  end subroutine

  ! lo, lo + step, ... hi are this worker's; worker: from 0, 0 if left out.
  function dls_mpi_loop_next(loop, lo, hi, worker) result(taken)
    type(dls_mpi_loop), intent(in) :: loop
    integer(c_int64_t), intent(out) :: lo, hi
    integer, intent(in), optional :: worker
    logical :: taken
    integer(c_int) :: number

    number = 0
    if (present(worker)) number = int(worker, c_int)
    taken = logical(c_next(loop%handle, number, lo, hi))
    if (taken) hi = hi - sign(1_c_int64_t, loop%step)
  end function

  ! iterations: how many this rank got.
  subroutine dls_mpi_loop_end(loop, error, iterations)
    type(dls_mpi_loop), intent(in) :: loop
    integer, intent(out), optional :: error
    integer(c_int64_t), intent(out), optional :: iterations
    integer(c_int64_t) :: got
    integer(c_int) :: code

    code = c_end(loop%handle, got)
    if (present(iterations)) iterations = got
    call report('dls_mpi_loop_end', code, error)
  end subroutine

  subroutine dls_mpi_loop_close(loop, error)
    type(dls_mpi_loop), intent(inout) :: loop
    integer, intent(out), optional :: error

    call report('dls_mpi_loop_close', c_loop_close(loop%handle), error)
    loop%handle = c_null_ptr
  end subroutine
end module
