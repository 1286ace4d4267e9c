package batch

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// A batch of an INSERT … VALUES is parsed and planned with the rows alone that it may come to: a text of all of them
// would be parsed again for each batch, which takes time with the square of its length.

// rowTexts is where the rows of an INSERT … VALUES stand in its text.
type rowTexts struct {
	text string
	Rows [][2]int
}

// RowTextsOf finds them; nil where there are not as many as the statement has rows, or other statements behind it.
func RowTextsOf(text string, rows int) *rowTexts {
	out := &rowTexts{text: text}
	t := valuesWord(text, 0)
	if after := statement.NextToken(text, t.End); !after.Is(text, "(") && !after.Is(text, "ROW") {
		t = valuesWord(text, t.End) // it was the name of the table
	}
	if t.Kind == statement.TokenEnd {
		return nil
	}
	for {
		t = statement.NextToken(text, t.End)
		if t.Is(text, "ROW") {
			t = statement.NextToken(text, t.End)
		}
		if !t.Is(text, "(") {
			return nil
		}
		start, depth := t.Start, 1
		for depth > 0 {
			switch t = statement.NextToken(text, t.End); {
			case t.Kind == statement.TokenEnd:
				return nil
			case t.Is(text, "("):
				depth++
			case t.Is(text, ")"):
				depth--
			}
		}
		out.Rows = append(out.Rows, [2]int{start, t.End})
		if t = statement.NextToken(text, t.End); t.Is(text, ",") {
			continue
		}
		if len(out.Rows) > 1 || !t.Is(text, "VALUES") && !t.Is(text, "VALUE") {
			break
		}
		out.Rows = nil // they were the columns of a table of that name
	}
	for ; t.Kind != statement.TokenEnd; t = statement.NextToken(text, t.End) {
		if t.Is(text, ";") && statement.NextToken(text, t.End).Kind != statement.TokenEnd {
			return nil
		}
	}
	if len(out.Rows) != rows {
		return nil
	}
	return out
}

// valuesWord is the next word VALUES or VALUE outside parentheses; else the end.
func valuesWord(text string, from int) statement.Token {
	depth := 0
	for t := statement.NextToken(text, from); ; t = statement.NextToken(text, t.End) {
		switch {
		case t.Kind == statement.TokenEnd:
			return t
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			depth--
		case depth == 0 && (t.Is(text, "VALUES") || t.Is(text, "VALUE")):
			return t
		}
	}
}

// rowsOf is how many rows of VALUES the statement has that was parsed; 0 where it is another one.
func rowsOf(s *session.Session) int {
	if len(s.Parsed.All) != 1 {
		return 0
	}
	if n, ok := s.Parsed.All[0].(*ast.Insert); ok {
		if v, ok := n.Rows.(*ast.AliasedValues); ok {
			return len(v.Values)
		}
	}
	return 0
}

// Text is a text with the rows alone that the batch may come to which runs; the text itself where that is not
// known.
func Text(ctx context.Context, query string) string {
	b := batchOf(ctx)
	if b == nil {
		return query
	}
	b.From, b.More = 0, false
	if b.Rows > 0 {
		b.texts, b.Rows = RowTextsOf(query, b.Rows), 0
	}
	if b.texts == nil || query != b.texts.text || b.At.Met >= int64(len(b.texts.Rows)) {
		return query
	}
	if b.At.Met > 0 && b.Taken == 0 && b.first < 0 {
		return query // an earlier run has come so far: the whole statement says which row is the first to get a number
	}
	rows := b.texts.Rows[b.At.Met:]
	most := 4 * b.Documents // some may be there already
	if b.Taken > 0 {
		most = min(most, 2*b.Taken)
	}
	n := 0
	for n < len(rows) && int64(n) < most && (n == 0 || int64(rows[n][1]-rows[0][0]) < b.Bytes) {
		n++
	}
	if n == len(b.texts.Rows) {
		return query
	}
	b.From, b.More = b.At.Met, n < len(rows)
	return query[:b.texts.Rows[0][0]] + query[rows[0][0]:rows[n-1][1]] + query[b.texts.Rows[len(b.texts.Rows)-1][1]:]
}

// batchOf is the statement in batches whose text is parsed; nil: there is none, or another text is parsed within it.
func batchOf(ctx context.Context) *Run {
	c, ok := ctx.(*sql.Context)
	if !ok {
		return nil
	}
	s, ok := c.Session.(*session.Session)
	if !ok || s.Batch == nil || len(s.Parsed.All) > 0 {
		return nil
	}
	return runOf(s)
}
