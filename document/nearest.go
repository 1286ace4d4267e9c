package document

import (
	"strings"
	"unicode/utf8"
)

// longestName is the number of bytes beyond which Nearest compares no names:
// its time grows with the square.
const longestName = 256

// Nearest returns the candidate that name is most likely a slip of, or "" when
// none is near. Insertions, deletions, replacements and exchanges of neighbours
// count one each, upper and lower case are the same, and a third of the
// characters may be wrong. Failing that, it is the only candidate that ends
// with name as its last names: zipcode finds address.zipcode. The first of
// equally near candidates wins.
func Nearest(name string, candidates []string) string {
	if name == "" || len(name) > longestName {
		return ""
	}
	folded := []rune(strings.ToLower(name))
	best, bestDistance := "", max(1, len(folded)/3)+1
	if len(folded) == 1 {
		bestDistance = 1 // of a single letter only the case can be wrong
	}
	below, belowCount := "", 0
	for _, c := range candidates {
		if len(c) > 4*longestName {
			continue
		}
		if d := utf8.RuneCountInString(c) - len(folded); d < bestDistance && -d < bestDistance {
			if d := editDistance(folded, []rune(strings.ToLower(c)), bestDistance); d < bestDistance {
				best, bestDistance = c, d
			}
		}
		if at := len(c) - len(name); at > 0 && c[at-1] == '.' && strings.EqualFold(c[at:], name) {
			below = c
			belowCount++
		}
	}
	if best == "" && belowCount == 1 {
		return below
	}
	return best
}

// editDistance is the number of edits between a and b (optimal string
// alignment), or any number from limit on if there are at least that many.
func editDistance(a, b []rune, limit int) int {
	before := make([]int, len(b)+1) // two rows up
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least >= limit {
			return limit
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
