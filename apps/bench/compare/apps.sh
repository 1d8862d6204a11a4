# SPDX-License-Identifier: Apache-2.0
# apps.sh runs whole programs for compare.sh: mrt-cg and mrt-heat2d, compiled
# for mpi.h with every library, for libmrt also as they are (rows ..._native),
# and parts of the HPC Challenge benchmark, a foreign program (hpcc.sh), if HPCC
# is the folder of its sources.
#
# cg and heat print how long each of their phases took; the figure is for one
# iteration, without set-up. Each starts with a fiftieth of its iterations, and
# that is the figure if all iterations would take longer than a few seconds, as
# they do when a peer's ranks spin with more ranks than CPUs. What they computed
# must be equal for all libraries and numbers of ranks, to the last bit.

: "${HPCC:=}" "${HPCC_N:=1000}"
apps_limit=30 # seconds that a program may take

app_rows()
{
	for n in 2 4 8; do
		echo "$n cg_small cg_large heat_small heat_large" \
			"${HPCC:+hpl ptrans fft random ring_latency ring_bandwidth}"
	done
}

# Renames what the shim cannot rename.
translate()
{
	for file; do
		to=$work/apps/${file#"$source/"}
		mkdir -p "${to%/*}"
		sed -e 's/<mrt\.h>/"mpi_shim.h"/' \
			-e 's/struct mrt_request \*/MPI_Request /' \
			-e 's/struct mrt_status/MPI_Status/' \
			-e 's/status\.source/status.MPI_SOURCE/' \
			"$file" >"$to" || return
	done
}

# kernel LIBRARY NAME SOURCES... builds $work/NAME.LIBRARY.
kernel()
{
	program=$work/$2.$1
	mpicc=$(compiler "$1")
	shift 2
	(cd "$work/apps/apps" && $mpicc -std=gnu11 -O2 -w -D_GNU_SOURCE \
		-ffp-contract=off -I"$work/apps" "$@" common/*.c \
		-o "$program" -lm)
}

# Installs what foreign programs need, by apt-get; their sources go to
# $kept/hpcc.
install_apps()
{
	$sudo apt-get install -y libblas-dev >&2 || die 69 "apt-get failed"
	"$here/hpcc.sh" fetch "$kept/hpcc" || die 69 "no HPC Challenge"
	HPCC=$kept/hpcc
}

build_one()
{
	translate "$source"/apps/kernels/*.[ch] \
		"$source"/apps/common/*.[ch] || return
	cp "$here/mpi_shim.h" "$work/apps/"
	# without a library for pictures
	echo '#define PACKAGE_VERSION ""' >"$work/apps/config.h"
	kernel "$1" cg kernels/cg.c kernels/csr.c kernels/scan.c kernels/mm.c \
		kernels/halo.c kernels/dmat.c kernels/pcg.c &&
		kernel "$1" heat2d kernels/heat2d.c kernels/heat.c \
			kernels/checkpoint.c kernels/grid2d.c \
			kernels/image.c || return
	[ -z "$HPCC" ] || "$here/hpcc.sh" build "$HPCC" "$work/hpcc.$1" \
		"$(compiler "$1")"
}

# build_apps LIBRARIES builds the programs for each library.
build_apps()
{
	[ -n "$HPCC" ] || echo "compare: no HPC Challenge: set HPCC to the" \
		"folder of its sources, or --install" >&2
	for library in $1; do
		build_one "$library" || {
			echo "compare: no apps with $library" >&2
			return 1
		}
	done
}

# app NAME ARGUMENTS... runs the column's program; the native one is not where
# it was configured to be.
app()
{
	name=$1
	shift
	case $app_row in
	*_native)
		libdirs=$($(compiler libmrt) -showme:libdirs)
		set -- env LD_LIBRARY_PATH="$libdirs" "mrt-$name" "$@" ;;
	*) set -- "$work/$name.${column%%+*}" "$@" ;;
	esac
	launch "$column" "$way" "$ranks" "$@" >"$work/report" 2>"$work/err"
}

# Prints the microseconds of one of $1 iterations, from the table of phases.
per_iteration()
{
	awk -v steps="$1" '
		/^  total / { total = $(NF - 3) }
		/^  (reading|set-up|check|picture|other)/ { rest += $(NF - 3) }
		/ iterations/ { steps = $(NF - 1) }
		END {
			if (total)
				printf "%.3f\n", (total - rest) / steps * 1e6
		}' "$work/report"
}

# same NAME SUM returns 1 if another run of that name computed something else.
same()
{
	grep -q "^$1 " "$work/sums" 2>/dev/null || echo "$1 $2" >>"$work/sums"
	grep -qx "$1 $2" "$work/sums"
}

# cg STEPS NX NY NZ runs mrt-cg. Its exit code 1 says that it was stopped early,
# 65 that the residual is zero to the last bit: both are intended.
cg()
{
	app cg -t 1e-300 -m "$1" -s "$work/solution" --poisson "$2" "$3" "$4"
	code=$?
	case $code in
	0 | 1 | 65)
		code=0
		sum=$(cksum <"$work/solution")
		rm "$work/solution" ;;
	esac
}

# heat STEPS CELLS runs mrt-heat2d.
heat()
{
	app heat2d -s "$1" -x "$2" -y "$2"
	code=$?
	sum=$(sed -n 's/^field hash //p' "$work/report")
}

# steps KERNEL STEPS SIZE... runs a fiftieth of the steps, then all if that is
# not too long.
steps()
{
	kernel=$1
	all=$2
	shift 2
	us=
	for count in $((all / 50)) "$all"; do
		$kernel "$count" "$@"
		[ "$code" -eq 0 ] || return
		us=$(per_iteration "$count")
		same "$kernel,$count,$*" "$sum" || us=wrong
		case $us in
		*[0-9]) [ "${us%.*}" -lt $((5000000 / all)) ] || break ;;
		*) break ;;
		esac
	done
	app_figure us "$us"
}

app_figure()
{
	[ -z "$2" ] || echo "$app_row,$ranks,0,$1,$2" >>"$work/out"
}

# hpcc PART NAME UNIT FACTOR prints the figure NAME of the benchmark's own
# report.
hpcc()
{
	rm -rf "$work/hpcc"
	mkdir "$work/hpcc"
	"$here/hpcc.sh" input "$HPCC_N" "$ranks" >"$work/hpcc/hpccinf.txt"
	cd "$work/hpcc" || return
	launch "$column" "$way" "$ranks" "$work/hpcc.${column%%+*}" "$1" \
		>/dev/null 2>"$work/err"
	code=$?
	cd "$home" || exit
	[ "$code" -eq 0 ] || return
	if grep -q '^Success=1' "$work/hpcc/hpccoutf.txt"; then
		app_figure "$3" "$(sed -n "s/^$2=//p" "$work/hpcc/hpccoutf.txt" |
			awk -v by="$4" '{ print $1 * by }')"
	else
		app_figure "$3" wrong
	fi
}

one_app()
{
	case $app_row in
	cg_small*) steps cg 1000 128 64 1 ;;
	cg_large*) steps cg 50 64 64 64 ;;
	heat_small*) steps heat 20000 64 ;;
	heat_large*) steps heat 200 1024 ;;
	hpl) hpcc hpl HPL_time ms 1000 ;;
	ptrans) hpcc ptrans PTRANS_time ms 1000 ;;
	fft) hpcc fft MPIFFT_Gflops Gflop/s 1 ;;
	random) hpcc random MPIRandomAccess_time ms 1000 ;;
	ring_latency) hpcc ring RandomlyOrderedRingLatency_usec us 1 ;;
	ring_bandwidth) hpcc ring NaturallyOrderedRingBandwidth_GBytes GB/s 1 ;;
	esac
}

# apps_run ROW... runs rows in $column with $ranks ranks; figures go to
# $work/out.
apps_run()
{
	home=$PWD
	usual=$limit
	limit=$apps_limit
	worst=0
	for app_row in "$@"; do
		code=0
		one_app
		[ "$code" -eq 0 ] || worst=$code
		case $column,$app_row in
		libmrt,cg_* | libmrt,heat_*)
			app_row=${app_row}_native
			one_app ;;
		esac
	done
	limit=$usual
	return "$worst"
}
