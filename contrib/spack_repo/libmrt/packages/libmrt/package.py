# SPDX-License-Identifier: Apache-2.0
"""package.py: libmrt for Spack 1.0 and later. The archive is that of make dist,
in the folder where spack runs:

    spack repo add contrib/spack_repo/libmrt
    spack install --no-checksum libmrt
"""

import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Libmrt(AutotoolsPackage):
    """Message passing and collectives for RDMA fabrics and shared memory, with
    the standard ABI of MPI 5.0 for programs in C and C++."""

    manual_download = True
    url = f"file://{os.getcwd()}/libmrt-0.2.0.tar.gz"
    license("Apache-2.0")

    version("0.2.0")

    variant("verbs", default=True, description="Use RDMA between nodes")
    variant("ofi", default=True, description="Use libfabric between nodes")
    variant(
        "mpi",
        default=False,
        description="Provide mpi: C and C++, without files",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("pmix@4.2:")
    depends_on("hwloc@2.4:")
    depends_on("jansson@2.12:")
    depends_on("libpng")
    depends_on("rdma-core", when="+verbs")
    depends_on("libfabric@1.11:", when="+ofi")

    # MPI 1 is the last version of which programs miss nothing: files came with
    # 2. A package that asks for mpi without a version may want these too, so libmrt
    # offers itself to nobody unless asked.
    provides("mpi@:1", when="+mpi")

    filter_compiler_wrappers("mrtcc", "mrtcxx", "mrtfort", relative_root="bin")

    def configure_args(self):
        return self.with_or_without("verbs") + self.with_or_without("ofi")

    def check(self):
        make("check-quick")

    def _names(self):
        names = self.prefix.libexec.libmrt.bin
        return {
            "mpicc": names.mpicc,
            "mpicxx": names.mpicxx,
            "mpif77": names.mpif77,
            "mpifc": names.mpif90,
        }

    def setup_run_environment(self, env):
        env.prepend_path("PATH", self.prefix.libexec.libmrt.bin)

    def setup_dependent_build_environment(self, env, dependent_spec):
        module = dependent_spec.package.module
        env.prepend_path("PATH", self.prefix.libexec.libmrt.bin)
        for variable, compiler in (
            ("MRT_CC", "spack_cc"),
            ("MRT_CXX", "spack_cxx"),
            ("MRT_FC", "spack_fc"),
        ):
            if hasattr(module, compiler):
                env.set(variable, getattr(module, compiler))

    def setup_dependent_package(self, module, dependent_spec):
        for name, path in self._names().items():
            setattr(self.spec, name, path)
