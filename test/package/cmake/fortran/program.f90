! program.f90 - Fortran, with OpenMP: the module comes with dls::fortran.
program fortran
  use dls
  implicit none
  type(dls_loop) :: loop
  integer :: i, lo, hi, sum = 0, threads = 0

  !$omp parallel private(loop, i, lo, hi) reduction(+ : sum, threads)
  !$ threads = 1
  call dls_for_begin(loop, 'sum', 1, 1000)
  do while (dls_for_next(loop, lo, hi))
    do i = lo, hi
      sum = sum + i
    end do
  end do
  !$omp end parallel
  if (sum == 500500 .and. threads == 2) then
    print '(a)', 'right'
  else
    print '(a)', 'wrong'
  end if
end program
