package statement

import "strings"

// Nearest is the name that was probably meant by a missing one. It is the name with the fewest letters changed, left
// out, added or exchanged, at most a third of them. It is empty where none is near.
func Nearest(name string, among []string) string {
	written := []rune(strings.ToLower(name))
	best, least := "", len(written)
	for _, other := range among {
		there := []rune(strings.ToLower(other))
		bound := min(least, max(len(written), len(there))/3+1)
		if d := distance(written, there, bound); d < bound {
			best, least = other, d
		}
	}
	return best
}

// distance is how many letters differ between two names, or bound if there are as many or more.
func distance(a, b []rune, bound int) int {
	if len(a)-len(b) >= bound || len(b)-len(a) >= bound {
		return bound
	}
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		now[0] = i + 1
		for j := range b {
			changed := last[j]
			if a[i] != b[j] {
				changed++
			}
			now[j+1] = min(changed, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last, now = last, now, before
	}
	return min(last[len(b)], bound)
}
