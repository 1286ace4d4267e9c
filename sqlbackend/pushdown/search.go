package pushdown

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/ordered"
)

// searched analyses a test that JSON_SEARCH finds something below paths. JSON_SEARCH looks at all depths. The range
// holds the strings at the paths and in arrays there, and all values that could contain others, so the filter stays.
func (a *analysis) searched(e sql.Expression) (n *node, ok bool) {
	f, is := strip(e).(sql.FunctionExpression)
	if !is || strings.ToLower(f.FunctionName()) != "json_search" {
		return nil, false
	}
	args := f.Children()
	if len(args) < 3 {
		return nil, false
	}
	pattern, ok := constantOf(a.ctx, args[2])
	if ok && len(args) > 3 {
		escape, constant := constantOf(a.ctx, args[3])
		ok = constant && (escape.kind == constantNull || escape.kind == constantString && escape.text == "")
	}
	if !ok || pattern.kind != constantString || !utf8.ValidString(pattern.text) {
		return notUnderstood("the pattern is not a constant string, or has an escape character of its own"), true
	}
	prefix, rest := likePrefix(pattern.text, '\\')
	var all []cover
	for i := 4; i == 4 || i < len(args); i++ {
		var r reach
		var reason string
		if len(args) > 4 {
			r, reason, ok = a.extraction(args[0], args[i])
		} else {
			r, reason, ok = a.reachOf(args[0])
		}
		if !ok {
			return notUnderstood(reason), true
		}
		all = append(all, coverOf(false, r.stubs...))
		for _, s := range r.spots {
			if s.isRoot() {
				return notUnderstood("it searches the whole document"), true
			}
			all = append(all, a.stringsIn(s, prefix, rest))
			if s.may(ordered.ClassArray) {
				below, reason, ok := a.elementsOf(s)
				switch {
				case !ok:
					return notUnderstood(reason), true
				case below == nil:
					all = append(all, coverOf(false, s.only(stubs(ordered.ClassArray))))
				default:
					// An array among the elements is a stub.
					all = append(all, a.stringsIn(*below, prefix, rest), coverOf(false, below.only(filled(ordered.ClassArray))))
				}
			}
		}
	}
	return foundNode([]cover{or(all...)}, "what is looked for has no range"), true
}

// stringsIn returns the cover of the strings at a spot that begin with a prefix, or equal it if there is no rest. It
// also covers the objects, which may hold any.
func (a *analysis) stringsIn(s spot, prefix, rest string) cover {
	within := placeWithin(ordered.ClassString)
	switch {
	case rest == "":
		within = a.placeJSONString(s.column, opEqual, prefix)
	case s.column.Collation.IsIdentity():
		within = a.beginningWith(s.column, prefix)
	}
	spans := spansOf(within)
	return coverOf(false, s.only(spans.Union(filled(ordered.ClassObject))))
}
