package statement

import "strings"

// chains counts the operators of expressions, in each pair of parentheses separately, and the depth of nested blocks.
// The parser accepts any number and makes a tree that is as deep. A walk of the tree would then use up the process's
// stack.
type chains struct {
	counts [64]int // by depth of parentheses; deeper ones count with the last
	depth  int
	blocks int
	most   int
}

// chainWords are words that are operators, or may be.
var chainWords = map[string]bool{
	"and": true, "or": true, "xor": true, "is": true, "like": true, "rlike": true, "regexp": true,
	"div": true, "mod": true,
	"between": true, "in": true, "collate": true, "member": true, "interval": true, "union": true, "intersect": true,
	"except": true,
	"join":   true, "straight_join": true, "binary": true, "sounds": true, "case": true, "else": true,
}

// longestChainWord is the length of the longest of them.
const longestChainWord = len("straight_join")

// read reads the token at the beginning of a text, which is no string, quoted name or comment, and returns its length
// in bytes.
func (c *chains) read(rest string) int {
	here := &c.counts[min(c.depth, len(c.counts)-1)]
	n := 1
	switch b := rest[0]; {
	case b == '(':
		c.depth++
		if c.depth < len(c.counts) {
			c.counts[c.depth] = 0
		}
	case b == ')':
		c.depth = max(0, c.depth-1)
	case b == ',' || b == ';':
		*here = 0
	case strings.IndexByte("+-*/%&|^~!.:@", b) >= 0:
		*here++
	case IsNameByte(b) && (b < '0' || b > '9'):
		for n < len(rest) && IsNameByte(rest[n]) {
			n++
		}
		if n > longestChainWord {
			break
		}
		switch word := strings.ToLower(rest[:n]); {
		case word[0] == '_' || chainWords[word]:
			*here++
		case word == "begin":
			c.blocks++
		case word == "end":
			c.blocks = max(0, c.blocks-1)
		}
	}
	c.most = max(c.most, *here, c.blocks)
	return n
}
