package collation

import (
	"strconv"
	"strings"

	"golang.org/x/text/collate"

	"github.com/sqlfdb/sqlfdb/collation/internal/edition"
)

// FirstVersion is the version of the keys in stores that don't name any.
const FirstVersion = "UCA 6.2.0 CLDR 23 key 1"

// Version names everything that the bytes of sort keys depend on, in this
// program: the weights' origin and the key format. Keys of different versions must
// not be compared with each other. Binary collations depend on nothing.
func Version() string {
	if p := edition.Other.Load(); p != nil {
		return *p
	}
	return "UCA " + collate.UnicodeVersion + " CLDR " + collate.CLDRVersion + " key " + strconv.Itoa(KeyFormat)
}

// CompareVersions gives -1, 0 or +1: the numbers in the versions decide, from left
// to right, and where they are equal the texts do.
func CompareVersions(a, b string) int {
	x, y := numbers(a), numbers(b)
	for i := 0; i < len(x) || i < len(y); i++ {
		var l, r int
		if i < len(x) {
			l = x[i]
		}
		if i < len(y) {
			r = y[i]
		}
		if l != r {
			if l < r {
				return -1
			}
			return 1
		}
	}
	return strings.Compare(a, b)
}

func numbers(s string) []int {
	var out []int
	for _, digits := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(digits)
		if err != nil {
			n = 0
		}
		out = append(out, n)
	}
	return out
}

// otherMark begins the keys of another edition: the code of a letter, so that
// a key is still distinct from what follows it.
var otherMark = codes.appendMark()

func (p *primaryCodes) appendMark() byte {
	return byte(p.code[shortPrimaries[len(shortPrimaries)-1]] >> 8)
}
