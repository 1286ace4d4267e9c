package explain

import (
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// treeLines is FORMAT=TREE: MySQL's arrows, and the known facts below each node.
func (n *explainedNode) treeLines(analyzed bool) []string {
	return n.appendTree(nil, 0, analyzed)
}

const treeIndent = "    "

func (n *explainedNode) appendTree(lines []string, depth int, analyzed bool) []string {
	indent := strings.Repeat(treeIndent, depth)
	if n.subquery {
		line := fmt.Sprintf("%s-> Subquery #%d", indent, n.selectID)
		if n.gave != "" {
			line += ", run before the statement was planned: " + n.gave
		}
		lines = append(lines, line)
		depth++
		indent += treeIndent
	}
	first := indent + "-> " + n.Operation
	if n.Detail != "" {
		first += ": " + n.Detail
	}
	if analyzed {
		first += n.actualText()
	}
	lines = append(lines, first)
	for _, l := range n.factLines() {
		lines = append(lines, indent+"     "+l)
	}
	for _, child := range n.children {
		lines = child.appendTree(lines, depth+1, analyzed)
	}
	return lines
}

// factLines are the lines below a node's first one.
func (n *explainedNode) factLines() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	p := n.Path
	if p != nil && p.Candidate != nil {
		for _, part := range p.Candidate.Parts {
			add("range: %s in %s", table.PartName(part), part.Text)
			if len(p.Candidate.Parts) > 1 && p.Absent(part) {
				add("no document has %s", table.PartName(part))
			}
		}
		if why := p.Empty(); why != "" {
			add("%s", why)
		}
	}
	if p != nil {
		for _, text := range p.CertainTexts() {
			add("every document satisfies: %s", text)
		}
	}
	if n.EntriesOnly {
		add("entries only: no document is read")
	}
	lines = append(lines, n.Facts...)
	switch {
	case n.Estimate != nil && p == nil && !n.EntriesOnly:
		add("documents: %s", table.DocumentsText(n.Estimate))
	case n.Estimate != nil:
		add("keys: %s", table.KeysText(n.Estimate))
	}
	if p != nil {
		lines = append(lines, p.Lines(n.Estimate == nil)...)
	}
	for _, l := range n.Lost {
		text := "lost: " + l.Way
		if l.Estimate != nil {
			text += ", keys: " + table.KeysText(l.Estimate)
		}
		lines = append(lines, text+": "+l.Why)
	}
	if p != nil {
		for _, reason := range p.Reasons {
			add("no range: %s", reason)
		}
	}
	return lines
}
