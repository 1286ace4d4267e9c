package sqlbackend

import (
	"fmt"
	"strings"
)

// treeLines is FORMAT=TREE: MySQL's arrows, and below each node what is known of
// it.
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
	first := indent + "-> " + n.operation
	if n.detail != "" {
		first += ": " + n.detail
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
	p := n.path
	if p != nil && p.candidate != nil {
		for _, part := range p.candidate.Parts {
			add("range: %s in %s", partName(part), part.Text)
			if len(p.candidate.Parts) > 1 && p.absent(part) {
				add("no document has %s", partName(part))
			}
		}
		if why := p.empty(); why != "" {
			add("%s", why)
		}
	}
	if p != nil {
		for _, text := range p.certainTexts() {
			add("every document satisfies: %s", text)
		}
	}
	if n.entriesOnly {
		add("entries only: no document is read")
	}
	lines = append(lines, n.facts...)
	switch {
	case n.estimate != nil && p == nil && !n.entriesOnly:
		add("documents: %s", documentsText(n.estimate))
	case n.estimate != nil:
		add("keys: %s", keysText(n.estimate))
	}
	if p != nil {
		lines = append(lines, p.lines(n.estimate == nil)...)
	}
	for _, l := range n.lost {
		text := "lost: " + l.way
		if l.estimate != nil {
			text += ", keys: " + keysText(l.estimate)
		}
		lines = append(lines, text+": "+l.why)
	}
	if p != nil {
		for _, reason := range p.reasons {
			add("no range: %s", reason)
		}
	}
	return lines
}

// lines are what a path tells of its choice.
func (p *accessPath) lines(withKeys bool) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	chosen := p.candidate != nil && p.chosen < len(p.estimates)
	switch {
	case chosen && withKeys:
		add("keys: %s%s", keysText(&p.estimates[p.chosen]), p.lackText(p.chosen))
	case p.candidate == nil && (len(p.choice.Why) > 0 || p.documents > 0):
		add("documents: %s, exactly", grouped(p.documents))
	}
	if c := p.candidate; c != nil {
		if c.Tight {
			add("tight")
		} else {
			add("not tight: the filter stays")
		}
	}
	if len(p.residual) > 0 {
		add("residual: %s", p.residualText())
	}
	if chosen {
		add("cost: %.1f, a full scan costs %.1f", p.choice.Cost, p.choice.FullScan)
	}
	for i := range p.candidates {
		if i != p.chosen {
			add("lost: %s, keys: %s%s: %s", p.candidates[i].Readable, keysText(&p.estimates[i]), p.lackText(i), p.choice.Why[i])
		}
	}
	return lines
}
