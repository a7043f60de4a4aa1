# package.py - the recipe of Spack, for repos/.../packages/libdls/ of a repository; fill.sh fills it.
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Libdls(MakefilePackage):
    """Scheduling of parallel loops: wrap an irregular loop of C, C++ or Fortran, then choose
    how its iterations are dealt to the threads when the program runs."""

    url = "@URL@"

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("advise", default=True, description="Build dls-advise, which reads traces and reports")

    variant("mpi", default=False, description="Build libdls-mpi, loops across ranks")

    depends_on("c", type="build")
    depends_on("expat")
    depends_on("jansson", when="+advise")
    depends_on("mpi", when="+mpi")

    @property
    def arguments(self):
        mpi = ["MPI=mpicc", "MPICC=" + self.spec["mpi"].mpicc] if self.spec.satisfies("+mpi") else ["MPI=none"]
        return ["prefix=" + self.prefix] + mpi

    @property
    def build_targets(self):
        return self.arguments

    @property
    def install_targets(self):
        return ["install"] + self.arguments

    def check(self):
        make("check")
