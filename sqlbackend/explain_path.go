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

// partName is how people know what a part is read by: its column or its path.
func partName(part pushdown.Part) string {
	switch {
	case part.PrimaryKey:
		return "primary key"
	case part.Column.Name == "":
		return part.Column.Path.JSONPath()
	}
	return "`" + part.Column.Name + "`"
}

// candidateName lists what a candidate is read by.
func candidateName(c *pushdown.Candidate) string {
	if len(c.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		names[i] = partName(part)
	}
	return strings.Join(names, ", ")
}

// candidateText shows what a candidate reads, part by part.
func candidateText(c *pushdown.Candidate) string {
	return partsText(c.Parts, partName)
}

func partsText(parts []pushdown.Part, name func(pushdown.Part) string) string {
	if len(parts) == 0 {
		return "nothing to read: no document satisfies it"
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = name(part) + " in " + part.Text
	}
	if len(parts) == 1 {
		return texts[0]
	}
	return "union of " + strings.Join(texts, ", and ")
}

// String is the path in one line.
func (p *accessPath) String() string {
	if p.candidate == nil {
		return p.name()
	}
	return partsText(p.candidate.Parts, func(part pushdown.Part) string {
		if part.PrimaryKey {
			return "primary key"
		}
		return part.Column.Keypath
	})
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
			add("lost: %s, keys: %s: %s", p.candidates[i].Readable, p.keysText(i), p.choice.Why[i])
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
