# SPDX-License-Identifier: Apache-2.0
"""packaging.py ROOT loads the recipes for Spack and EasyBuild as these would,
with stand-ins for what they import, and prints what is wrong with them."""

import glob
import os
import re
import runpy
import sys
import types

here = os.path.dirname(os.path.abspath(__file__))
makefile = open(os.path.join(here, "../../contrib/Makefile.inc")).read()
installed = set(re.findall(r"(mp\w+):mr\w+", makefile.replace("+", "x")))
provided = []


class Prefix(str):
    def __getattr__(self, name):
        return Prefix(self + "/" + name)


class Autotools:
    prefix = Prefix("")

    def with_or_without(self, name):
        return ["--with-" + name]


def ignore(*args, **kwargs):
    pass


def provides(what, when=None):
    provided.append((what, when))


def stand_in(name, **names):
    module = types.ModuleType(name)
    module.__dict__.update(names)
    sys.modules[name] = module


def spack(path):
    stand_in("spack_repo.builtin.build_systems.autotools", AutotoolsPackage=Autotools)
    for name in "spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems":
        stand_in(name)
    directives = "license version variant depends_on filter_compiler_wrappers".split()
    stand_in("spack.package", provides=provides, **dict.fromkeys(directives, ignore))
    package = runpy.run_path(path)["Libmrt"]()
    if [when for what, when in provided if what.startswith("mpi")] != ["+mpi"]:
        yield "it must be asked for before it is an MPI"
    if package.configure_args() != ["--with-verbs", "--with-ofi"]:
        yield "configure does not know %s" % package.configure_args()
    package.spec = types.SimpleNamespace()
    package.setup_dependent_package(None, None)
    for path in vars(package.spec).values():
        folder, name = os.path.split(path)
        if folder != "/libexec/libmrt/bin" or name not in installed:
            yield "%s is not installed" % path


def easybuild(path):
    names = dict(SOURCE_TAR_GZ="tar.gz", SHLIB_EXT="so", OS_PKG_IBVERBS_DEV=("libibverbs-dev",))
    recipe = runpy.run_path(path, names)
    chain = recipe["toolchain"]
    name = "%s-%s-%s-%s.eb" % (recipe["name"], recipe["version"], chain["name"], chain["version"])
    if name != os.path.basename(path):
        yield "its name would be " + name


for pattern, load in (
    ("contrib/spack_repo/libmrt/packages/*/package.py", spack),
    ("contrib/easybuild/*.eb", easybuild),
):
    for path in glob.glob(os.path.join(sys.argv[1], pattern)):
        try:
            for wrong in load(path):
                print("%s: %s" % (path, wrong))
        except Exception as error:
            print("%s: %r" % (path, error))
