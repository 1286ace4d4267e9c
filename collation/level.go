package collation

// The secondary and tertiary levels of a key. Nearly all their weights are
// the level's common one, which is also the lowest: runs of it are written as
// their length. A run that a higher weight follows sorts the lower the longer
// it is; the last run of a level, which the end follows, the higher. So the codes are, in this
// order: lengths of last runs, ascending; lengths of inner runs, descending; weights.
const (
	commonSecondary = 0x20
	commonTertiary  = 0x02

	maxRun      = 0x30 // a longer run takes several bytes
	lastRun     = firstCode
	innerRun    = lastRun + maxRun + 1 + maxRun // less the length
	shortWeight = innerRun + 1
	shortCount  = 0x80 // weights with a code of one byte
	longWeight  = shortWeight + shortCount
)

// level is one level of a key that is being made.
type level struct {
	common  int
	out     []byte
	run     int // common weights that are not in out yet
	weights int // all so far
}

func (l *level) reset(common int) {
	l.common, l.out, l.run, l.weights = common, l.out[:0], 0, 0
}

func (l *level) add(w int) {
	l.weights++
	if w <= l.common {
		l.run++
		return
	}
	l.out = appendWeight(appendInnerRun(l.out, l.run), w-l.common-1)
	l.run = 0
}

// end writes the last run. It is left out when the level has as many weights
// as expected, the level above. No string with the same level above has
// fewer weights here, so that leaving it out keeps the order.
func (l *level) end(expected int) {
	if l.weights == expected {
		return
	}
	for ; l.run > maxRun; l.run -= maxRun {
		l.out = append(l.out, lastRun+maxRun)
	}
	if l.run > 0 {
		l.out = append(l.out, lastRun+byte(l.run)-1)
	}
}

// appendInnerRun appends the length of a run, which may be 0.
func appendInnerRun(dst []byte, run int) []byte {
	for ; run > maxRun; run -= maxRun {
		dst = append(dst, innerRun-maxRun)
	}
	if run > 0 {
		dst = append(dst, innerRun-byte(run)+1)
	}
	return dst
}

// appendWeight appends the code of the n-th weight above the common one.
func appendWeight(dst []byte, n int) []byte {
	if n < shortCount {
		return append(dst, shortWeight+byte(n))
	}
	n -= shortCount
	return append(dst, longWeight+byte(n>>8), byte(n))
}
