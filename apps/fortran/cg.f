C SPDX-License-Identifier: Apache-2.0
C cg.f: conjugate gradients for Poisson's equation on a square, with mpif.h in
C fixed form, as programs of the last century have it. Each rank has some rows
C of the square, and a row of each neighbour besides.
C
C	mrtfort -O2 cg.f -o cg && mrun -n 4 ./cg
      program cg
      implicit none
      include 'mpif.h'
      integer m, steps
      parameter (m = 96, steps = 1000)
      double precision x(m, 0:m+1), r(m, 0:m+1)
      double precision p(m, 0:m+1), q(m, 0:m+1)
      double precision rho, old, alpha, first
      integer me, n, ierr, lo, hi, k, step, i, j
      double precision dot
      external dot

      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      lo = me * m / n
      hi = (me + 1) * m / n
      k = hi - lo
      do j = 0, k + 1
        do i = 1, m
          x(i, j) = 0
          p(i, j) = 0
          r(i, j) = 0
          if (j .ge. 1 .and. j .le. k) then
            r(i, j) = mod(i + 3 * (lo + j), 7)
          end if
          p(i, j) = r(i, j)
        end do
      end do
      rho = dot(m, k, r, r)
      first = rho
      do step = 1, steps
        call border(m, k, p, me, n)
        call apply(m, k, p, q)
        alpha = rho / dot(m, k, p, q)
        call add(m, k, alpha, p, x)
        call add(m, k, -alpha, q, r)
        old = rho
        rho = dot(m, k, r, r)
        if (rho .le. 1d-16 * first) goto 10
        do j = 1, k
          do i = 1, m
            p(i, j) = r(i, j) + rho / old * p(i, j)
          end do
        end do
      end do
   10 continue
      call border(m, k, x, me, n)
      call apply(m, k, x, q)
      do j = 1, k
        do i = 1, m
          q(i, j) = q(i, j) - mod(i + 3 * (lo + j), 7)
        end do
      end do
      rho = dot(m, k, q, q)
      if (me .eq. 0) then
        print '(a, i0, a)', 'cg: ', step, ' steps'
        if (rho .le. 1d-15 * first) print '(a)', 'the solution is right'
      end if
      call MPI_FINALIZE(ierr)
      end

C The sum over all ranks.
      double precision function dot(m, k, a, b)
      implicit none
      include 'mpif.h'
      integer m, k, i, j, ierr
      double precision a(m, 0:k+1), b(m, 0:k+1), part, total
      part = 0
      do j = 1, k
        do i = 1, m
          part = part + a(i, j) * b(i, j)
        end do
      end do
      call MPI_ALLREDUCE(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     &    MPI_COMM_WORLD, ierr)
      dot = total
      end

C Gets the rows of the neighbours; beyond the square all is zero.
      subroutine border(m, k, a, me, n)
      implicit none
      include 'mpif.h'
      integer m, k, me, n, up, down, ierr
      integer status(MPI_STATUS_SIZE)
      double precision a(m, 0:k+1)
      up = me - 1
      down = me + 1
      if (up .lt. 0) up = MPI_PROC_NULL
      if (down .ge. n) down = MPI_PROC_NULL
      call MPI_SENDRECV(a(1, 1), m, MPI_DOUBLE_PRECISION, up, 0,
     &    a(1, k + 1), m, MPI_DOUBLE_PRECISION, down, 0,
     &    MPI_COMM_WORLD, status, ierr)
      call MPI_SENDRECV(a(1, k), m, MPI_DOUBLE_PRECISION, down, 1,
     &    a(1, 0), m, MPI_DOUBLE_PRECISION, up, 1,
     &    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end

C b = A a
      subroutine apply(m, k, a, b)
      implicit none
      integer m, k, i, j
      double precision a(m, 0:k+1), b(m, 0:k+1)
      do j = 1, k
        do i = 1, m
          b(i, j) = 4 * a(i, j) - a(i, j - 1) - a(i, j + 1)
          if (i .gt. 1) b(i, j) = b(i, j) - a(i - 1, j)
          if (i .lt. m) b(i, j) = b(i, j) - a(i + 1, j)
        end do
      end do
      end

C b = b + c a
      subroutine add(m, k, c, a, b)
      implicit none
      integer m, k, i, j
      double precision c, a(m, 0:k+1), b(m, 0:k+1)
      do j = 1, k
        do i = 1, m
          b(i, j) = b(i, j) + c * a(i, j)
        end do
      end do
      end
