package pushdown

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
)

// SplitContains splits JSON_CONTAINS of several elements into one call for each of them, whose AND is the same
// condition; nil for any other condition. Each may have an exact range, and intersecting ranges reads no documents.
// The callback object reports which operands are always objects, whose members are split too: an array of objects may
// have each of them in another element.
func SplitContains(ctx *sql.Context, e sql.Expression, object func(sql.Expression) bool) []sql.Expression {
	f, is := strip(e).(sql.FunctionExpression)
	if !is || !strings.EqualFold(f.FunctionName(), "json_contains") {
		return nil
	}
	args := f.Children()
	if len(args) != 2 && len(args) != 3 {
		return nil
	}
	a := &analysis{ctx: ctx}
	v, _, ok := a.document(args[1])
	if !ok || v.Count() < 2 {
		return nil
	}
	var parts []document.Value
	switch {
	case v.Type() == document.TypeArray:
		parts = splitElements(v)
	case len(args) == 2 && object(strip(args[0])):
		parts = splitMembers(v)
	}
	if parts == nil {
		return nil
	}
	out := make([]sql.Expression, len(parts))
	for i, part := range parts {
		children := slices.Clone(args)
		children[1] = expression.NewLiteral(string(part.Raw()), types.LongText)
		asked, err := f.WithChildren(children...)
		if err != nil {
			return nil
		}
		out[i] = asked
	}
	return out
}

// splitElements returns an array for each element of an array; nil if there are many.
func splitElements(v document.Value) []document.Value {
	var out, seen []document.Value
	for _, e := range v.Elements() {
		if slices.ContainsFunc(seen, func(o document.Value) bool { return document.Compare(o, e, collation.Default) == 0 }) {
			continue
		}
		if len(seen) == maxCovers {
			return nil
		}
		seen = append(seen, e)
		out = append(out, document.FromCompact(slices.Concat([]byte{'['}, e.Raw(), []byte{']'})))
	}
	return out
}

// splitMembers returns an object for each member of an object; nil if there are many.
func splitMembers(v document.Value) []document.Value {
	if v.Count() > maxCovers {
		return nil
	}
	var out []document.Value
	for name, m := range v.Members() {
		text, err := document.AppendQuoted([]byte{'{'}, name)
		if err != nil {
			return nil
		}
		out = append(out, document.FromCompact(slices.Concat(text, []byte{':'}, m.Raw(), []byte{'}'})))
	}
	return out
}
