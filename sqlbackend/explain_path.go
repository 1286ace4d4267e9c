package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// name is how EXPLAIN calls the path.
func (p *accessPath) name() string {
	if p.candidate == nil {
		return "full scan"
	}
	if len(p.candidate.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(p.candidate.Parts))
	for i, part := range p.candidate.Parts {
		names[i] = part.Column.Keypath
		if part.PrimaryKey {
			names[i] = "primary key"
		}
	}
	return strings.Join(names, ", ")
}

// candidateName is how people know a candidate: by its column or its path.
func candidateName(c *pushdown.Candidate) string {
	if len(c.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		switch {
		case part.PrimaryKey:
			names[i] = "primary key"
		case part.Column.Name == "":
			names[i] = part.Column.Path.JSONPath()
		default:
			names[i] = "`" + part.Column.Name + "`"
		}
	}
	return strings.Join(names, ", ")
}

// candidateText shows what a candidate reads, part by part.
func candidateText(c *pushdown.Candidate) string {
	if len(c.Parts) == 1 {
		return c.Text
	}
	texts := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		texts[i] = part.Text
	}
	return strings.Join(texts, "; ")
}

// String is the path in one line.
func (p *accessPath) String() string {
	if p.candidate == nil {
		return p.name()
	}
	switch len(p.candidate.Parts) {
	case 0:
		return "nothing to read: no document satisfies it"
	case 1:
		return p.name() + " in " + p.candidate.Text
	}
	texts := make([]string, len(p.candidate.Parts))
	for i, part := range p.candidate.Parts {
		if texts[i] = part.Column.Keypath; part.PrimaryKey {
			texts[i] = "primary key"
		}
		texts[i] += " in " + part.Text
	}
	return "union of " + strings.Join(texts, ", and ")
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
