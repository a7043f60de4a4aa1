! dls.F90 - libdls for Fortran: scheduling of parallel loops.  Compile it with your program, by the same compiler and flags:
!
!   gfortran -fopenmp /usr/local/include/dls.F90 program.f90 -ldls
!
!   type(dls_region) :: region
!   type(dls_loop) :: loop
!   integer :: i, lo, hi
!
!   call dls_region_open(region)
!   !$omp parallel firstprivate(region) private(loop, i, lo, hi)
!   call dls_region_enter(region)
!   call dls_for_begin(loop, 'rows', 1, n)
!   do while (dls_for_next(loop, lo, hi))
!     do i = lo, hi
!       call work(i)
!     end do
!   end do
!   call dls_region_leave(region)
!   !$omp end parallel
!   call dls_region_close(region)
!
! Then, without recompiling, DLS_SCHEDULE=gss ./a.out, or for one loop DLS_SCHEDULE='rows:gss'.  Without OpenMP every loop has one
! worker.  See dls_fortran(3).
!
! The procedures of each kind of index, and of each type of reduction, stand once, at the end: the file
! includes itself for them, with their names and the kind or type as macros.  Its own name is a macro, too:
! CMake's scan for dependencies follows a plain #include whatever stands around it, and would never end.
#ifndef DLS__INDEX
#ifndef DLS__VALUE
module dls
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private

  public :: dls_loop, dls_region, dls_reduction, dls_stats, dls_worker_stats
  public :: dls_for_begin, dls_for_next, dls_into, dls_partial
  public :: dls_region_open, dls_region_enter, dls_region_leave, dls_region_close
  public :: dls_parallel_do, dls_parallel_chunks
  public :: dls_site_set_schedule, dls_site_schedule, dls_site_set_moments, dls_site_set_overhead, dls_site_set_measured
  public :: dls_site_stats, dls_site_worker_stats, dls_report, dls_strerror, dls_version

  ! enum dls_error
  integer, parameter, public :: DLS_EINVAL = -1, DLS_ERANGE = -2, DLS_ENOENT = -3, DLS_EEXIST = -4, DLS_EBUSY = -5, &
      DLS_ENOMEM = -6, DLS_EAGAIN = -7, DLS_EIO = -8, DLS_EDEADLK = -9, DLS_ENODATA = -10

  ! The objects and constants of dls/fortran.h.
  integer, parameter :: LOOP_WORDS = 384, COMBINED_WORDS = 80, REGION_WORDS = 32
  integer(c_int), parameter :: ENDING_BARRIER = 1, ENDING_MEMORY = 2, ENDING_MEMORY_BARRIER = 3

  type, bind(c) :: dls_loop
    private
    integer(c_int64_t) :: room(LOOP_WORDS)
  end type

  type, bind(c) :: dls_region
    private
    integer(c_int64_t) :: room(REGION_WORDS)
  end type

  type, bind(c) :: combined_t
    integer(c_int64_t) :: room(COMBINED_WORDS)
  end type

  ! What dls_into() returns.
  type, bind(c) :: dls_reduction
    private
    type(c_ptr) :: into = c_null_ptr
    integer(c_int32_t) :: type = 0
    character(c_char) :: op(8) = ' '
  end type

  type, bind(c) :: request_t
    integer(c_int64_t) :: first = 1, last = 1, step = 1, multiple = 0
    integer(c_int32_t) :: nowait = 0
    type(dls_reduction) :: reduce
    type(c_funptr) :: finish = c_null_funptr
  end type

  ! struct dls_stats of dls/stats.h; times are seconds.
  type, bind(c) :: dls_stats
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: executions, iterations, measured, chunks, measured_iterations
    integer(c_int) :: workers
    real(c_double) :: wall, busy, dispatch, idle, late, finish, imbalance, cov, efficiency, saving, mu, sigma, h
    integer(c_int64_t) :: trimmed
  end type

  type, bind(c) :: dls_worker_stats
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: chunks, iterations
    real(c_double) :: busy, dispatch, idle, late, finish
  end type

  ! call dls_for_begin(loop, name, first, last [, step, schedule, nowait, multiple, reduce])
  interface dls_for_begin
    module procedure begin32, begin64
  end interface

  ! do while (dls_for_next(loop, lo, hi)); do i = lo, hi [, step]
  interface dls_for_next
    logical(c_bool) function next32(loop, lo, hi) bind(c, name='dls__fortran_next32')
      import
      type(dls_loop), intent(inout) :: loop
      integer(c_int32_t), intent(inout) :: lo, hi
    end function
    logical(c_bool) function next64(loop, lo, hi) bind(c, name='dls__fortran_next64')
      import
      type(dls_loop), intent(inout) :: loop
      integer(c_int64_t), intent(inout) :: lo, hi
    end function
  end interface

  ! call dls_for_begin(..., reduce=dls_into('+', total)); after each block, call dls_partial(loop, sum)
  interface dls_into
    module procedure into_i32, into_i64, into_r32, into_r64, into_c32, into_c64
  end interface
  interface dls_partial
    module procedure partial_i32, partial_i64, partial_r32, partial_r64, partial_c32, partial_c64
  end interface

  ! call dls_parallel_do(body, name, first, last [, step, schedule, multiple]): body(i)
  interface dls_parallel_do
    module procedure parallel_do32, parallel_do64
  end interface

  ! call dls_parallel_chunks(body, name, first, last [, step, schedule, multiple]): body(lo, hi)
  interface dls_parallel_chunks
    module procedure parallel_chunks32, parallel_chunks64
  end interface

  abstract interface
    subroutine body32(i)
      import :: int32
      integer(int32), intent(in) :: i
    end subroutine
    subroutine body64(i)
      import :: int64
      integer(int64), intent(in) :: i
    end subroutine
    subroutine chunk32(lo, hi)
      import :: int32
      integer(int32), intent(in) :: lo, hi
    end subroutine
    subroutine chunk64(lo, hi)
      import :: int64
      integer(int64), intent(in) :: lo, hi
    end subroutine
    subroutine with_region(region) bind(c)
      import
      type(dls_region), intent(inout) :: region
    end subroutine
    integer(c_int) function number() bind(c)
      import
    end function
  end interface

  procedure(with_region), bind(c, name='dls__fortran_region_open') :: dls_region_open
  procedure(with_region), bind(c, name='dls__fortran_region_leave') :: dls_region_leave
  procedure(with_region), bind(c, name='dls__fortran_region_close') :: dls_region_close
#ifdef _OPENMP
  ! By their C names: the module omp_lib need not be installed.
  procedure(number), bind(c, name='omp_get_level') :: omp_level
  procedure(number), bind(c, name='omp_get_thread_num') :: omp_worker
  procedure(number), bind(c, name='omp_get_num_threads') :: omp_workers
  procedure(number), bind(c, name='omp_get_max_threads') :: omp_most
#else
#define omp_level() 0_c_int
#define omp_worker() 0_c_int
#define omp_workers() 1_c_int
#define omp_most() 1_c_int
#endif

  interface
    logical(c_bool) function c_begin(loop, name, name_length, schedule, schedule_length, request, level) &
        bind(c, name='dls__fortran_begin')
      import
      type(dls_loop), intent(inout) :: loop
      character(c_char), intent(in) :: name(*), schedule(*)
      integer(c_int64_t), value :: name_length, schedule_length
      type(request_t), intent(in) :: request
      integer(c_int), value :: level
    end function
    logical(c_bool) function c_plain(loop, level, worker, workers) bind(c, name='dls__fortran_plain')
      import
      type(dls_loop), intent(inout) :: loop
      integer(c_int), value :: level, worker, workers
    end function
    subroutine c_shared(loop, shared, level, worker, workers) bind(c, name='dls__fortran_shared')
      import
      type(dls_loop), intent(inout) :: loop
      type(c_ptr), value :: shared
      integer(c_int), value :: level, worker, workers
    end subroutine
    subroutine c_team(loop, share, level, worker, workers) bind(c, name='dls__fortran_team')
      import
      type(dls_loop), intent(inout) :: loop
      integer(c_intptr_t), value :: share
      integer(c_int), value :: level, worker, workers
    end subroutine
    subroutine c_combined(combined, name, name_length, schedule, schedule_length, request, most) &
        bind(c, name='dls__fortran_combined_open')
      import
      type(combined_t), intent(inout), target :: combined
      character(c_char), intent(in) :: name(*), schedule(*)
      integer(c_int64_t), value :: name_length, schedule_length
      type(request_t), intent(in) :: request
      integer(c_int), value :: most
    end subroutine
    subroutine c_join(loop, combined, level, worker, workers) bind(c, name='dls__fortran_join')
      import
      type(dls_loop), intent(inout) :: loop
      type(combined_t), intent(inout), target :: combined
      integer(c_int), value :: level, worker, workers
    end subroutine
    subroutine c_close(combined) bind(c, name='dls__fortran_combined_close')
      import
      type(combined_t), intent(inout), target :: combined
    end subroutine
    subroutine c_partial(loop, type, partial) bind(c, name='dls__fortran_partial')
      import
      type(dls_loop), intent(inout) :: loop
      integer(c_int), value :: type
      type(c_ptr), value :: partial
    end subroutine
    subroutine c_enter(region, level, worker, workers) bind(c, name='dls__fortran_region_enter')
      import
      type(dls_region), intent(inout) :: region
      integer(c_int), value :: level, worker, workers
    end subroutine
    integer(c_intptr_t) function c_open(loop, workers) bind(c, name='dls__fortran_open')
      import
      type(dls_loop), intent(inout) :: loop
      integer(c_int), value :: workers
    end function
    logical(c_bool) function c_libgomp_alone() bind(c, name='dls__libgomp_alone')
      import
    end function

    integer(c_int) function c_named(site, name) bind(c, name='dls_site_named')
      import
      type(c_ptr), intent(out) :: site
      character(c_char), intent(in) :: name(*)
    end function
    integer(c_int) function c_set_schedule(site, text) bind(c, name='dls_site_set_schedule')
      import
      type(c_ptr), value :: site, text
    end function
    integer(c_size_t) function c_print_schedule(site, text, size) bind(c, name='dls_site_print_schedule')
      import
      type(c_ptr), value :: site
      character(c_char), intent(out) :: text(*)
      integer(c_size_t), value :: size
    end function
    integer(c_int) function c_set_moments(site, mu, sigma) bind(c, name='dls_site_set_moments')
      import
      type(c_ptr), value :: site
      real(c_double), value :: mu, sigma
    end function
    integer(c_int) function c_set_overhead(site, h) bind(c, name='dls_site_set_overhead')
      import
      type(c_ptr), value :: site
      real(c_double), value :: h
    end function
    integer(c_int) function c_set_measured(site, on) bind(c, name='dls_site_set_measured')
      import
      type(c_ptr), value :: site
      logical(c_bool), value :: on
    end function
    integer(c_int) function c_stats(site, stats) bind(c, name='dls_site_stats')
      import
      type(c_ptr), value :: site
      type(dls_stats), intent(inout) :: stats
    end function
    integer(c_int) function c_worker_stats(site, worker, stats) bind(c, name='dls_site_worker_stats')
      import
      type(c_ptr), value :: site
      integer(c_int), value :: worker
      type(dls_worker_stats), intent(inout) :: stats
    end function
    integer(c_int) function c_report(file) bind(c, name='dls_report')
      import
      character(c_char), intent(in) :: file(*)
    end function
    type(c_ptr) function c_strerror(code) bind(c, name='dls_strerror')
      import
      integer(c_int), value :: code
    end function
    type(c_ptr) function c_version() bind(c, name='dls_version')
      import
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import
      type(c_ptr), value :: text
    end function

#ifdef _OPENMP
#ifdef __GFORTRAN__
    ! libgomp's functions for loops whose scan or reduction needs memory: see dls/omp.h.
    logical(c_bool) function gomp_start(start, end, increment, schedule, chunk, istart, iend, reductions, &
        memory) bind(c, name='GOMP_loop_start')
      import
      integer(c_long), value :: start, end, increment, schedule, chunk
      type(c_ptr), value :: istart, iend, reductions
      integer(c_intptr_t), intent(inout) :: memory
    end function
    subroutine gomp_end() bind(c, name='GOMP_loop_end')
    end subroutine
    subroutine gomp_end_nowait() bind(c, name='GOMP_loop_end_nowait')
    end subroutine
#endif
#endif
  end interface

#ifdef _OPENMP
  ! The work share that one thread of a plain region opens and copies to the others.
  integer(c_intptr_t), save :: share
  !$omp threadprivate(share)
#endif

contains
#define DLS__HERE "dls.F90"

  subroutine begin(loop, name, request, schedule)
    type(dls_loop), intent(inout) :: loop
    character(*), intent(in) :: name
    type(request_t), intent(inout) :: request
    character(*), intent(in), optional :: schedule
    logical :: seated

    request%finish = c_funloc(finish)
    if (present(schedule)) then
      seated = c_begin(loop, name, len(name, c_int64_t), schedule, len(schedule, c_int64_t), request, omp_level())
    else
      seated = c_begin(loop, name, len(name, c_int64_t), '', 0_c_int64_t, request, omp_level())
    end if
    if (.not. seated) call begin_in_plain(loop, omp_level(), omp_worker(), omp_workers())
  end subroutine

  ! Open a loop in a region that dls_region_enter() has not entered.
  subroutine begin_in_plain(loop, level, worker, workers)
    type(dls_loop), intent(inout) :: loop
    integer(c_int), intent(in) :: level, worker, workers
#if defined(_OPENMP) && defined(__GFORTRAN__)
    integer(c_intptr_t) :: memory
#endif

    if (c_plain(loop, level, worker, workers)) return
#ifdef _OPENMP
#ifdef __GFORTRAN__
    if (c_libgomp_alone()) then
      memory = 2 * c_sizeof(memory)     ! bytes of a struct dls__shared
      if (gomp_start(0_c_long, 1_c_long, 1_c_long, 2_c_long, 1_c_long, c_null_ptr, c_null_ptr, c_null_ptr, memory)) continue
      call c_shared(loop, transfer(memory, c_null_ptr), level, worker, workers)
      return
    end if
#endif
    !$omp single
    share = c_open(loop, workers)
    !$omp end single copyprivate(share)
    call c_team(loop, share, level, worker, workers)
#endif
  end subroutine

  ! Behind a loop's last chunk; called by dls_for_next().
  subroutine finish(ending) bind(c, name='')
    integer(c_int), value :: ending

#ifdef _OPENMP
    select case (ending)
    case (ENDING_BARRIER)
      !$omp barrier
#ifdef __GFORTRAN__
    case (ENDING_MEMORY)
      call gomp_end_nowait()
    case (ENDING_MEMORY_BARRIER)
      call gomp_end()
#endif
    end select
#else
    if (ending == ENDING_BARRIER) continue
#endif
  end subroutine

  subroutine dls_region_enter(region)
    type(dls_region), intent(inout) :: region

    call c_enter(region, omp_level(), omp_worker(), omp_workers())
  end subroutine

  subroutine open_combined(l, name, request, schedule)
    type(combined_t), intent(inout), target :: l
    character(*), intent(in) :: name
    type(request_t), intent(in) :: request
    character(*), intent(in), optional :: schedule

    if (present(schedule)) then
      call c_combined(l, name, len(name, c_int64_t), schedule, len(schedule, c_int64_t), request, omp_most())
    else
      call c_combined(l, name, len(name, c_int64_t), '', 0_c_int64_t, request, omp_most())
    end if
  end subroutine

#define DLS__INDEX int32
#define DLS__BEGIN begin32
#define DLS__BODY body32
#define DLS__CHUNK chunk32
#define DLS__PARALLEL_DO parallel_do32
#define DLS__PARALLEL_CHUNKS parallel_chunks32
#include DLS__HERE

#define DLS__INDEX int64
#define DLS__BEGIN begin64
#define DLS__BODY body64
#define DLS__CHUNK chunk64
#define DLS__PARALLEL_DO parallel_do64
#define DLS__PARALLEL_CHUNKS parallel_chunks64
#include DLS__HERE

  ! The code of a type: its kind and its size, as DLS__KIND() has it.
  pure integer(c_int) function code(kind, bytes)
    character, intent(in) :: kind
    integer, intent(in) :: bytes

    code = int(256 * iachar(kind) + bytes, c_int)
  end function

  function into(op, variable, type) result(reduce)
    character(*), intent(in) :: op
    type(c_ptr), intent(in) :: variable
    integer(c_int), intent(in) :: type
    type(dls_reduction) :: reduce
    integer :: i

    reduce%into = variable
    reduce%type = type
    do i = 1, min(len(op), size(reduce%op))
      reduce%op(i) = op(i:i)
    end do
  end function

#define DLS__VALUE integer(int32)
#define DLS__CODE code('s', 4)
#define DLS__INTO into_i32
#define DLS__PARTIAL partial_i32
#include DLS__HERE

#define DLS__VALUE integer(int64)
#define DLS__CODE code('s', 8)
#define DLS__INTO into_i64
#define DLS__PARTIAL partial_i64
#include DLS__HERE

#define DLS__VALUE real(real32)
#define DLS__CODE code('f', 4)
#define DLS__INTO into_r32
#define DLS__PARTIAL partial_r32
#include DLS__HERE

#define DLS__VALUE real(real64)
#define DLS__CODE code('f', 8)
#define DLS__INTO into_r64
#define DLS__PARTIAL partial_r64
#include DLS__HERE

#define DLS__VALUE complex(real32)
#define DLS__CODE code('c', 8)
#define DLS__INTO into_c32
#define DLS__PARTIAL partial_c32
#include DLS__HERE

#define DLS__VALUE complex(real64)
#define DLS__CODE code('c', 16)
#define DLS__INTO into_c64
#define DLS__PARTIAL partial_c64
#include DLS__HERE

  ! The functions below return 0 or a code of dls_error(3).

  integer function named(site, name)
    type(c_ptr), intent(out) :: site
    character(*), intent(in) :: name

    named = c_named(site, trim(name) // c_null_char)
  end function

  ! A blank schedule: none of its own.
  integer function dls_site_set_schedule(name, schedule) result(status)
    character(*), intent(in) :: name, schedule
    character(c_char), target :: text(len_trim(schedule) + 1)
    type(c_ptr) :: site
    integer :: i

    status = named(site, name)
    if (status /= 0) return
    do i = 1, size(text) - 1
      text(i) = schedule(i:i)
    end do
    text(size(text)) = c_null_char
    if (size(text) > 1) then
      status = c_set_schedule(site, c_loc(text))
    else
      status = c_set_schedule(site, c_null_ptr)
    end if
  end function

  ! The schedule of the next execution; empty if the name is not accepted.
  function dls_site_schedule(name) result(schedule)
    character(*), intent(in) :: name
    character(:), allocatable :: schedule
    character(256, c_char) :: text
    type(c_ptr) :: site
    integer(c_size_t) :: length

    schedule = ''
    if (named(site, name) /= 0) return
    length = c_print_schedule(site, text, len(text, c_size_t))
    schedule = text(:min(length, len(text, c_size_t) - 1))
  end function

  integer function dls_site_set_moments(name, mu, sigma) result(status)
    character(*), intent(in) :: name
    real(real64), intent(in) :: mu, sigma
    type(c_ptr) :: site

    status = named(site, name)
    if (status == 0) status = c_set_moments(site, mu, sigma)
  end function

  integer function dls_site_set_overhead(name, h) result(status)
    character(*), intent(in) :: name
    real(real64), intent(in) :: h
    type(c_ptr) :: site

    status = named(site, name)
    if (status == 0) status = c_set_overhead(site, h)
  end function

  integer function dls_site_set_measured(name, on) result(status)
    character(*), intent(in) :: name
    logical, intent(in) :: on
    type(c_ptr) :: site

    status = named(site, name)
    if (status == 0) status = c_set_measured(site, logical(on, c_bool))
  end function

  integer function dls_site_stats(name, stats) result(status)
    character(*), intent(in) :: name
    type(dls_stats), intent(inout) :: stats
    type(c_ptr) :: site

    status = named(site, name)
    stats%size = c_sizeof(stats)
    if (status == 0) status = c_stats(site, stats)
  end function

  integer function dls_site_worker_stats(name, worker, stats) result(status)
    character(*), intent(in) :: name
    integer, intent(in) :: worker
    type(dls_worker_stats), intent(inout) :: stats
    type(c_ptr) :: site

    status = named(site, name)
    stats%size = c_sizeof(stats)
    if (status == 0) status = c_worker_stats(site, int(worker, c_int), stats)
  end function

  integer function dls_report(file) result(status)
    character(*), intent(in) :: file

    status = c_report(trim(file) // c_null_char)
  end function

  function string(text)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: string
    character(c_char), pointer :: bytes(:)
    integer :: i

    call c_f_pointer(text, bytes, [c_strlen(text)])
    allocate (character(size(bytes)) :: string)
    do i = 1, size(bytes)
      string(i:i) = bytes(i)
    end do
  end function

  function dls_strerror(code) result(text)
    integer, intent(in) :: code
    character(:), allocatable :: text

    text = string(c_strerror(int(code, c_int)))
  end function

  function dls_version() result(text)
    character(:), allocatable :: text

    text = string(c_version())
  end function
end module
#endif
#endif

#ifdef DLS__INDEX
  subroutine DLS__BEGIN(loop, name, first, last, step, schedule, nowait, multiple, reduce)
    type(dls_loop), intent(inout) :: loop
    character(*), intent(in) :: name
    integer(DLS__INDEX), intent(in) :: first, last
    integer(DLS__INDEX), intent(in), optional :: step
    character(*), intent(in), optional :: schedule
    logical, intent(in), optional :: nowait
    integer, intent(in), optional :: multiple
    type(dls_reduction), intent(in), optional :: reduce
    type(request_t) :: request

    request%first = first
    request%last = last
    if (present(step)) request%step = step
    if (present(multiple)) request%multiple = multiple
    if (present(nowait)) request%nowait = merge(1, 0, nowait)
    if (present(reduce)) request%reduce = reduce
    call begin(loop, name, request, schedule)
  end subroutine

  subroutine DLS__PARALLEL_DO(body, name, first, last, step, schedule, multiple)
    procedure(DLS__BODY) :: body
    character(*), intent(in) :: name
    integer(DLS__INDEX), intent(in) :: first, last
    integer(DLS__INDEX), intent(in), optional :: step
    character(*), intent(in), optional :: schedule
    integer, intent(in), optional :: multiple
    type(combined_t), target :: l
    type(dls_loop) :: loop
    type(request_t) :: request
    integer(DLS__INDEX) :: lo, hi, i, by

    by = 1
    if (present(step)) by = step
    request%first = first
    request%last = last
    request%step = by
    if (present(multiple)) request%multiple = multiple
    call open_combined(l, name, request, schedule)
    !$omp parallel private(loop, lo, hi, i)
    call c_join(loop, l, omp_level(), omp_worker(), omp_workers())
    do while (dls_for_next(loop, lo, hi))
      do i = lo, hi, by
        call body(i)
      end do
    end do
    !$omp end parallel
    call c_close(l)
  end subroutine

  subroutine DLS__PARALLEL_CHUNKS(body, name, first, last, step, schedule, multiple)
    procedure(DLS__CHUNK) :: body
    character(*), intent(in) :: name
    integer(DLS__INDEX), intent(in) :: first, last
    integer(DLS__INDEX), intent(in), optional :: step
    character(*), intent(in), optional :: schedule
    integer, intent(in), optional :: multiple
    type(combined_t), target :: l
    type(dls_loop) :: loop
    type(request_t) :: request
    integer(DLS__INDEX) :: lo, hi

    request%first = first
    request%last = last
    if (present(step)) request%step = step
    if (present(multiple)) request%multiple = multiple
    call open_combined(l, name, request, schedule)
    !$omp parallel private(loop, lo, hi)
    call c_join(loop, l, omp_level(), omp_worker(), omp_workers())
    do while (dls_for_next(loop, lo, hi))
      call body(lo, hi)
    end do
    !$omp end parallel
    call c_close(l)
  end subroutine
#undef DLS__INDEX
#undef DLS__BEGIN
#undef DLS__BODY
#undef DLS__CHUNK
#undef DLS__PARALLEL_DO
#undef DLS__PARALLEL_CHUNKS
#endif

#ifdef DLS__VALUE
  function DLS__INTO(op, total) result(reduce)
    character(*), intent(in) :: op
    DLS__VALUE, intent(inout), target :: total
    type(dls_reduction) :: reduce

    reduce = into(op, c_loc(total), DLS__CODE)
  end function

  subroutine DLS__PARTIAL(loop, partial)
    type(dls_loop), intent(inout) :: loop
    DLS__VALUE, intent(in), target :: partial

    call c_partial(loop, DLS__CODE, c_loc(partial))
  end subroutine
#undef DLS__VALUE
#undef DLS__CODE
#undef DLS__INTO
#undef DLS__PARTIAL
#endif
