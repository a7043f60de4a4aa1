#!/bin/sh
# names.sh - the headers do without the names that programs define as macros: capital letters, SIZE, MAX and the like.
#
# Fails if: a header, or what a macro expands to, has such a name.  Comments, texts and a macro's own parameters do not count.
#
# runs: once
. test/sh.sh
plain_builds_only
numbers='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
	SIZE LEN LENGTH COUNT DIM NDIM NDIMS PI TWO_PI EPS EPSILON TOL TRUE FALSE YES NO OK NX NY NZ NI NJ NK N1 N2 IMAX JMAX KMAX
	NB BS BLOCK BLOCKSIZE BLOCK_SIZE TILE CHUNK CHUNKSIZE CHUNK_SIZE STEP STEPS NSTEPS ITER ITERS NITER ITERATIONS MAXITER
	LINE NAME VERSION ERROR ERR FAIL SUCCESS DEBUG VERBOSE TRACE INFO LOG WARN PRINT THREADS NTHREADS NUM_THREADS NPROCS
	RANK MASTER ROOT WORKER WORKERS BEGIN END FIRST LAST LEFT RIGHT UP DOWN LO HI LOW HIGH INDEX OFFSET STRIDE ROW ROWS COL
	COLS COLUMNS WIDTH HEIGHT DEPTH GRID CELL CELLS POINT POINTS NODE NODES EDGE TASK TASKS LOOP TEAM SITE NET LOAD CLASS
	TYPE KIND VALUE KEY DATA BUF BUFSIZE BUFFER MSG TAG READ WRITE INPUT OUTPUT STATIC DYNAMIC GUIDED AUTO SCHEDULE NOWAIT
	REAL DOUBLE FLOAT INT INTEGER BOOL BYTE WORD LONG COMPLEX VECTOR MATRIX ALPHA BETA GAMMA DELTA SIGMA OMEGA MU DT DX DY
	DZ TIME TMAX SEED RAND RANDOM EMPTY NONE NIL UNUSED UNKNOWN INLINE RESTRICT ALIGN ALIGNED PACKED CACHE_LINE INF noreturn'
attributes='aligned cold noinline unused weak'	# of gcc, whose names between underscores no program defines
# Macros with arguments: a member may have such a name, as may an intrinsic function of Fortran.
calls='MAX MIN SWAP MOD DIV POW DIST IDX ELEM ASSERT CHECK CAT CONCAT STR ABS SQR SQUARE CEIL FLOOR ROUND SIGN FREE MALLOC NEW DELETE
	max min swap'

for header in include/*.h include/*.hpp include/dls/*.h* include/*.F90 include/dls/*.F90; do
	comment='//.*'
	case $header in *.F90) comment='!.*' calls= ;; esac
	awk -v comment="$comment" -v names="$numbers $attributes" -v calls="$calls" '
		BEGIN {
			n = split(names, name)
			while (n) bad[name[n--]]
			n = split(calls, name)
			while (n) bad[name[n--] "("]
		}
		inside && !sub(/^.*\*\//, "") { next }
		{
			gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "")
			inside = sub(/\/\*.*/, "")
			gsub(/"[^"]*"/, "")
			sub(comment, "")
			line = line $0		# a macro has all of its lines
		}
		sub(/\\$/, " ", line) { next }
		{
			split("", parameter)
			if (match(line, /^#define +[A-Za-z0-9_]+\([^)]*\)/)) {
				n = split(substr(line, RSTART, RLENGTH), name, /[^A-Za-z0-9_]+/)
				while (n) parameter[name[n--]]
			}
			while (match(line, /[A-Za-z0-9_]+ *\(?/)) {
				called = word = substr(line, RSTART, RLENGTH)
				gsub(/[ (]/, "", word)
				gsub(/ /, "", called)
				if (!(word in parameter) && ((word in bad) || (called in bad)))
					print FILENAME ":" FNR ": " word
				line = substr(line, RSTART + RLENGTH)
			}
			line = ""
		}' "$header"
done >"$log"
holds 'the headers have no name that programs define' [ ! -s "$log" ]
finish
