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

    depends_on("c", type="build")
    depends_on("jansson", when="+advise")

    @property
    def build_targets(self):
        return ["prefix=" + self.prefix]

    @property
    def install_targets(self):
        return ["install", "prefix=" + self.prefix]

    def check(self):
        make("check")
