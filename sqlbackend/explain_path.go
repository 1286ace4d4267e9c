package sqlbackend

import (
	"fmt"
	"strings"
)

// name is how EXPLAIN calls the path.
func (p *accessPath) name() string {
	if p.candidate == nil {
		return "full scan"
	}
	if p.candidate.PrimaryKey {
		return "primary key"
	}
	return p.candidate.Column.Keypath
}

// String is the path in one line.
func (p *accessPath) String() string {
	if p.candidate == nil {
		return p.name()
	}
	return p.name() + " in " + p.candidate.Text
}

// DebugString is what EXPLAIN shows: the spans, the keys that they are thought
// to hold and the exact count that bounds them, what is still filtered, and
// the candidates that lost with the reason.
func (p *accessPath) DebugString() string {
	lines := []string{p.String()}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
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
	if p.chosen >= 0 && len(p.estimates) > 0 {
		add("keys: %s", p.keysText(p.chosen))
		add("cost: %.1f, a full scan costs %.1f", p.choice.Cost, p.choice.FullScan)
	} else if len(p.choice.Why) > 0 || p.documents > 0 {
		add("documents: %s, exactly", grouped(p.documents))
	}
	for i := range p.candidates {
		if i != p.chosen {
			c := p.candidates[i]
			add("lost: %s in %s, keys: %s: %s", c.Name, c.Readable, p.keysText(i), p.choice.Why[i])
		}
	}
	for _, reason := range p.reasons {
		add("no range: %s", reason)
	}
	return strings.Join(lines, "\n")
}

func (p *accessPath) residualText() string {
	parts := make([]string, len(p.residual))
	for i, n := range p.residual {
		parts[i] = strings.Join(strings.Fields(p.conjuncts[n].String()), " ")
	}
	return strings.Join(parts, " AND ")
}

// keysText says how many keys a candidate's spans hold: index keys, or for the
// primary key documents.
func (p *accessPath) keysText(i int) string {
	e := p.estimates[i]
	text := "about " + grouped(e.Keys)
	if e.Exact {
		text = grouped(e.Keys) + " counted"
	}
	text += " of " + grouped(e.Bound)
	if p.candidates[i].NeedsAllPresent {
		text += fmt.Sprintf("; %s documents lack the keypath", grouped(e.Missing))
	}
	return text
}
