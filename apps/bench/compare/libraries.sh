# SPDX-License-Identifier: Apache-2.0
# libraries.sh builds and launches with each library, for compare.sh: the
# programs are in $work; $source is the project's folder. A column of the table
# is a library (libmrt openmpi mpich), another libmrt (base), a library with
# other settings (openmpi+han, see settings.txt), or floor: no MPI at all.

here=$source/apps/bench/compare
settings=$here/settings.txt

compiler()
{
	case $1 in
	libmrt) echo "${MRTCC:-mrtcc}" ;;
	base) echo "env -u MRT_PREFIX ${BASE:-/nowhere}/bin/mrtcc" ;;
	*) echo "mpicc.$1" ;;
	esac
}

# Open MPI refuses root unless told.
as_root=
[ "$(id -u)" -ne 0 ] || as_root=--allow-run-as-root

# Slurm starts four nodes of four ranks.
srun="srun --overcommit -N 4 --ntasks-per-node 4"

# hosts_of 4x2 prints node1:2,node2:2,node3:2,node4:2.
hosts_of()
{
	seq -s , -f "node%g:${1#*x}" "${1%x*}"
}

# launcher COLUMN MODE prints the command up to the number of ranks. Rank i is
# bound to the ith core, modulo cores if there are more ranks; mode "unbound"
# binds none; nor does mode 4x2, four nodes of two ranks. Modes "slurm" and
# "wait" are 4x4, started by Slurm.
launcher()
{
	mode=$2
	case $mode in
	threads) mode=unbound ;;
	tcp | ofi) mode=2x1 ;;
	wait) mode=slurm ;;
	esac
	case $mode in
	*x*) hosts=$(hosts_of "$mode") ;;
	esac
	case $1.$mode in
	mpich*.slurm) echo "$srun --mpi=pmi2" ;;
	*.slurm) echo "$srun --mpi=pmix" ;;
	base.*x*) echo "$BASE/bin/mrun --quiet --bind-to none --host $hosts" ;;
	libmrt*.*x* | floor.*x*)
		echo "${MRUN:-mrun} --quiet --bind-to none --host $hosts" ;;
	openmpi*.*x*)
		echo "mpirun.openmpi $as_root --bind-to none --host $hosts" ;;
	mpich*.*x*)
		echo "mpirun.mpich -launcher ssh -bind-to none -hosts $hosts" ;;
	base.unbound) echo "$BASE/bin/mrun --quiet --bind-to none" ;;
	base.*) echo "$BASE/bin/mrun --quiet --bind-to core --map-by core" ;;
	libmrt*.unbound | floor.unbound)
		echo "${MRUN:-mrun} --quiet --bind-to none" ;;
	libmrt* | floor*)
		echo "${MRUN:-mrun} --quiet --bind-to core --map-by core" ;;
	openmpi*.unbound)
		echo "mpirun.openmpi $as_root --oversubscribe --bind-to none" ;;
	openmpi*)
		echo "mpirun.openmpi $as_root --oversubscribe --map-by core" \
			"--bind-to core:overload-allowed" ;;
	mpich*.unbound) echo "mpirun.mpich -bind-to none" ;;
	mpich*) echo "mpirun.mpich -bind-to core -map-by core" ;;
	esac
	case $1.$2 in
	libmrt*.nocma | base.nocma) echo "-x MRT_SM_CMA=no" ;;
	openmpi*.nocma) echo "--mca btl_vader_single_copy_mechanism none" ;;
	mpich*.nocma) echo "-genv UCX_TLS ^cma" ;;
	esac
	case $1 in
	*+*) setting "$1" ;;
	esac
}

# Prints the options of a column such as openmpi+han.
setting()
{
	awk -v column="$1" '
		!/^#/ && column == $1 "+" $2 {
			$1 = $2 = $3 = ""
			print
		}' "$settings"
}

# Prints the columns with settings that may speed up group $1, of the libraries
# in use.
settings_for()
{
	awk -v group="$1" -v libraries=" $libraries " '
		!/^#/ && index("," $3 ",", "," group ",") &&
		    index(libraries, " " $1 " ") { print $1 "+" $2 }' \
		"$settings"
}

# build LIBRARY builds its programs, $work/PROGRAM.LIBRARY; returns 1 if the
# library is not there.
build()
{
	mpicc=$(compiler "$1")
	runner=$(launcher "$1" default)
	command -v "${mpicc##* }" >/dev/null &&
		command -v "${runner%% *}" >/dev/null || return 1
	for program in patterns initfin counted idle waiting ranks; do
		files=$here/$program.c
		[ "$program" != patterns ] ||
			files="$here/frame.c $here/pairs.c $here/colls.c
				$here/windows.c $here/threads.c
				$here/files.c -pthread -lm"
		# shellcheck disable=SC2086 # a list of files
		$mpicc -std=gnu11 -O2 -w -I"$source" $files \
			-o "$work/$program.$1" || return 1
	done
}

build_floor()
{
	${CC:-cc} -std=gnu11 -O2 -w -D_GNU_SOURCE -I"$source" \
		"$here/floor.c" -o "$work/floor" || return 1
	: "${PMIX_CFLAGS=$(pkg-config --cflags pmix 2>/dev/null)}"
	: "${PMIX_LIBS=$(pkg-config --libs pmix 2>/dev/null || echo -lpmix)}"
	# shellcheck disable=SC2086 # lists of flags
	${CC:-cc} -O2 -w $PMIX_CFLAGS "$here/bare.c" -o "$work/initfin.floor" \
		$PMIX_LIBS 2>/dev/null ||
		echo "compare: no headers of PMIx: start has no floor" >&2
}

# $running is the running command, in the background: a shell handles signals
# while it waits, but not while a command runs in the foreground, and timeout
# puts its group out of reach.
running=
stop()
{
	trap '' INT TERM HUP PIPE
	[ -z "$running" ] || { kill "$running" && wait "$running"; } 2>/dev/null
	stop_busy
}

# A process that computes beside those of mode "busy", on whichever core.
busy=
start_busy()
{
	[ "$1" = busy ] || return 0
	sh -c 'while :; do :; done' &
	busy=$!
}

stop_busy()
{
	[ -z "$busy" ] || { kill "$busy" && wait "$busy"; } 2>/dev/null
	busy=
}

# launch COLUMN MODE RANKS WORDS... runs the launcher; WORDS follow the number
# of ranks. Returns the exit code, 124 or 137 after $limit seconds; sets $ms,
# the time it took.
launch()
{
	command=$(launcher "$1" "$2")
	mode=$2
	n=$3
	shift 3
	start_busy "$mode"
	begin=$(date +%s%N)
	# shellcheck disable=SC2086 # words of a command
	in_quota timeout -k 5 "$limit" $command -n "$n" "$@" </dev/null &
	running=$!
	wait "$running"
	code=$?
	running=
	ms=$((($(date +%s%N) - begin) / 10000))
	stop_busy
	ms=${ms%??}.${ms#"${ms%??}"}
	return $code
}

# ---- A cgroup of one CPU ---------------------------------------------------

quota=
# make_quota makes a group that may use the time of one CPU; says why if it
# cannot.
make_quota()
{
	for quota in /sys/fs/cgroup/cpu/compare.$$ /sys/fs/cgroup/compare.$$; do
		[ -d "${quota%/*}" ] || continue
		mkdir "$quota" 2>/dev/null || continue
		if [ -e "$quota/cpu.cfs_quota_us" ]; then
			echo 100000 >"$quota/cpu.cfs_period_us" &&
				echo 100000 >"$quota/cpu.cfs_quota_us" &&
				return
		elif [ -e "$quota/cpu.max" ]; then
			echo "100000 100000" >"$quota/cpu.max" && return
		fi 2>/dev/null
		rmdir "$quota"
	done
	quota=
	echo "compare: no quota: no cgroup with a limit of CPU time can be" \
		"made here" >&2
	return 1
}

drop_quota()
{
	[ -z "$quota" ] || rmdir "$quota" 2>/dev/null
	quota=
}

# Replaces this shell by the command, in the group.
in_quota()
{
	if [ "$mode" != quota ]; then
		exec "$@"
	else
		# shellcheck disable=SC2016 # for the inner shell
		exec sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' \
			"$quota" "$@"
	fi
}
