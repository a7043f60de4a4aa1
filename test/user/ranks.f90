! ranks.f90 - dls/mpi.F90: each iteration on one rank, with and without a step; errors as codes.
program ranks
  use, intrinsic :: iso_fortran_env, only : int64
  use mpi
  use dls_mpi
  implicit none
  type(dls_mpi_type) :: handle
  type(dls_mpi_loop) :: loop
  integer(int64) :: lo, hi, i, got, mine(3), all(3)
  integer :: error, code, rank

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  mine = 0
  call dls_mpi_open(handle, MPI_COMM_WORLD)
  call dls_mpi_loop_open(loop, handle, 'nosuch', error=code)
  if (code == 0) mine(3) = 1
  call dls_mpi_loop_open(loop, handle, 'fac2')
  call dls_mpi_loop_start(loop, 1_int64, 1000_int64)
  do while (dls_mpi_loop_next(loop, lo, hi))
    do i = lo, hi
      mine(1) = mine(1) + i
    end do
  end do
  call dls_mpi_loop_end(loop, iterations=got)
  mine(2) = got
  call dls_mpi_loop_start(loop, 10_int64, 0_int64, step=-5_int64)
  do while (dls_mpi_loop_next(loop, lo, hi))
    do i = lo, hi, -5
      mine(1) = mine(1) + i
    end do
  end do
  call dls_mpi_loop_end(loop)
  call dls_mpi_loop_close(loop)
  call dls_mpi_close(handle)
  call MPI_Reduce(mine, all, 3, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) then
    if (all(1) == 500515 .and. all(2) == 1000 .and. all(3) == 0) then
      print '(a)', 'right'
    else
      print '(a, 3i10)', 'wrong', all
    end if
  end if
  call MPI_Finalize(error)
end program
