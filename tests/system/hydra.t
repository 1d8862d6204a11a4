# SPDX-License-Identifier: Apache-2.0
# hydra.t runs our programs under MPICH's mpirun, which speaks PMI-1.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
mpirun=$(command -v mpirun.mpich || command -v mpiexec.hydra) ||
	skip_all "MPICH's mpirun is not installed"
fatal=$top_builddir/tests/system/fatal
CASES_TIMEOUT=100

for n in 1 2 8; do
	cases "$n ranks:" "$mpirun" -n "$n" "$top_builddir/tests/system/api"
	cases "$n ranks:" "$mpirun" -n "$n" \
		"$top_builddir/tests/system/storm" --messages 3000
done
cases "8 ranks:" "$mpirun" -n 8 "$top_builddir/tests/system/coll" --max-count 50
cases "2 ranks:" "$mpirun" -n 2 "$top_builddir/tests/mpi/session_again"
cases "by PMI_PORT:" "$mpirun" -pmi-port -n 3 "$top_builddir/tests/system/api"

run 60 env MRT_LOG=info "$mpirun" -n 2 "$top_builddir/tests/system/api" \
	"time goes on"
is "$(grep -c 'only a launcher with PMIx tells' "$err")" 1 \
	"what PMIx alone offers is told once to whoever asks"

# launchers that do not tell which ranks share a node
cat >"$work/unmapped.c" <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>

ssize_t send(int fd, const void *bytes, size_t len, int flags)
{
	ssize_t (*real)(int, const void *, size_t, int) =
		dlsym(RTLD_NEXT, "send");
	char *key = memmem(bytes, len, "PMI_process_mapping", 19);

	if (key)
		memcpy(key, "no", 2);
	return real(fd, bytes, len, flags);
}
X
if [ -n "$SANITIZER" ]; then # sanitizers must be loaded first
	skip "a preload" "no PMI_process_mapping"
elif ${CC:-cc} -shared -fPIC -o "$work/unmapped.so" "$work/unmapped.c" -ldl; then
	for n in 1 8; do
		cases "$n ranks without a mapping:" "$mpirun" -n "$n" \
			-genv LD_PRELOAD "$work/unmapped.so" \
			"$top_builddir/tests/system/api"
	done
else
	not_ok "a preload is built"
fi

run 60 "$mpirun" -n 3 "$fatal" abort
is "$rc" 42 "mrt_abort ends the job with its code"
run 60 "$mpirun" -n 3 "$fatal" bad_rank
is "$rc" 64 "an error ends the job with its code"
like "$err" 'MRT_ERR_RANK' "and says why"
run 60 "$mpirun" -n 3 "$fatal" killed
is "$((rc != 0 && rc != 124))" 1 "a rank that is killed ends the job ($rc)"
like "$out" 'signal 9' "of which MPICH tells"
wait_for 20 nothing_marked && ok "nothing is left" || not_ok "nothing is left"

done_testing
