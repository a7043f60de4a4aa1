/* The strategies, in the order in which they are listed to users. */
X(none)
X(rand)
X(sid)
X(rid)
X(gm)
X(hbm)
X(dem)
X(rips)
