package syntax

import (
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// MySQL's error numbers for windows that refer to other windows.
const (
	errNoSuchWindow     = 3579
	errWindowCircle     = 3580
	errInheritPartition = 3581
	errInheritFrame     = 3582
	errInheritOrder     = 3583
)

// inlineWindows copies the windows of a SELECT's WINDOW clause to the OVER that names them. The plan builder gives an
// incomplete named window the frame of all rows of the partition before it knows its ORDER BY. It also takes an
// undefined name for OVER (). Several windows may share parts afterwards.
func inlineWindows(s *ast.Select) {
	var windows []*ast.Over
	for _, f := range windowsOf(s) {
		windows = append(windows, f.Over)
	}
	if len(windows) == 0 && len(s.Window) == 0 {
		return
	}
	n := namedWindows{}
	for _, w := range s.Window {
		n[w.Name.Lowered()] = w
	}
	for _, w := range s.Window { // also windows that nothing names
		if _, err := n.whole(w, len(n)); err != nil {
			failSelect(s, err)
			return
		}
	}
	for _, o := range windows {
		w, err := n.whole((*ast.WindowDef)(o), len(n))
		if err != nil {
			failSelect(s, err)
			return
		}
		*o = ast.Over(*w)
	}
	s.Window = nil
}

// windowsOf returns the window functions of a SELECT, outside of its subqueries.
func windowsOf(s *ast.Select) []*ast.FuncExpr {
	var out []*ast.FuncExpr
	for _, p := range selectParts(s) {
		walkOutside(*p, func(n ast.SQLNode) bool {
			if f, ok := isWindow(n); ok {
				out = append(out, f)
			}
			return true
		})
	}
	return out
}

// namedWindows has the windows of a WINDOW clause by their names in lower case.
type namedWindows map[string]*ast.WindowDef

// whole returns a window with the parts that it takes from the window that it names. It fails if there is no such
// window, if they refer to each other, which a chain longer than depth shows, or if it repeats an inherited part.
func (n namedWindows) whole(w *ast.WindowDef, depth int) (*ast.WindowDef, error) {
	if w.NameRef.IsEmpty() {
		return w, nil
	}
	of, ok := n[w.NameRef.Lowered()]
	if !ok {
		return nil, mysql.NewSQLError(errNoSuchWindow, "HY000", "Window name '%s' is not defined.", w.NameRef.String())
	}
	if depth == 0 {
		return nil, mysql.NewSQLError(errWindowCircle, "HY000", "There is a circularity in the window dependency graph.")
	}
	of, err := n.whole(of, depth-1)
	if err != nil {
		return nil, err
	}
	if len(w.PartitionBy) == 0 && len(w.OrderBy) == 0 && w.Frame == nil {
		return &ast.WindowDef{Name: w.Name, PartitionBy: of.PartitionBy, OrderBy: of.OrderBy, Frame: of.Frame}, nil
	}
	name := w.Name.String()
	if name == "" {
		name = "<unnamed window>"
	}
	switch {
	case len(w.PartitionBy) > 0:
		return nil, mysql.NewSQLError(errInheritPartition, "HY000",
			"A window which depends on another cannot define partitioning.")
	case of.Frame != nil:
		return nil, mysql.NewSQLError(errInheritFrame, "HY000",
			"Window '%s' has a frame definition, so cannot be referenced by another window.", w.NameRef.String())
	case len(w.OrderBy) > 0 && len(of.OrderBy) > 0:
		return nil, mysql.NewSQLError(errInheritOrder, "HY000",
			"Window '%s' cannot inherit '%s' since both contain an ORDER BY clause.", name, w.NameRef.String())
	}
	out := &ast.WindowDef{Name: w.Name, PartitionBy: of.PartitionBy, OrderBy: of.OrderBy, Frame: w.Frame}
	if len(w.OrderBy) > 0 {
		out.OrderBy = w.OrderBy
	}
	return out, nil
}

// distinguishWindows lets a window function stand twice in a SELECT. The plan builder takes the second for the first
// by its text, and then misses the column of the second. So each one that may equal an earlier one gets an additional
// constant in PARTITION BY.
func distinguishWindows(s *ast.Select) {
	seen := map[string]int{}
	for _, f := range windowsOf(s) {
		shape := callShape(f)
		if again := seen[shape]; again > 0 {
			constant := ast.NewIntVal([]byte("1"))
			apart := &calledOtherwise{name: "again" + strconv.Itoa(again), text: "1"}
			over := *f.Over
			over.PartitionBy = append(append(ast.Exprs(nil), over.PartitionBy...), injected(apart, constant))
			f.Over = &over
		}
		seen[shape]++
	}
}

// callShape returns the text that a call shares with all calls that the plan builder may not distinguish from it.
// Columns have their names alone in it, and literals and parameters are alike.
func callShape(f *ast.FuncExpr) string {
	buf := ast.NewTrackedBuffer(func(buf *ast.TrackedBuffer, n ast.SQLNode) {
		switch n := n.(type) {
		case *ast.ColName:
			buf.WriteString(n.Name.Lowered())
		case *ast.SQLVal:
			buf.WriteString("?")
		case *ast.ParenExpr:
			buf.Myprintf("%v", n.Expr)
		default:
			n.Format(buf)
		}
	})
	buf.Myprintf("%s(%v)", f.Name.Lowered(), f.Exprs)
	return strings.ToLower(buf.String())
}

// failSelect makes a SELECT fail with an error when it is planned.
func failSelect(s *ast.Select, err error) {
	s.SelectExprs = ast.SelectExprs{&ast.AliasedExpr{Expr: injected(failedExpression{err})}}
	s.GroupBy, s.Having, s.OrderBy, s.Window = nil, nil, nil, nil
}

// failedExpression fails a statement when its plan is built.
type failedExpression struct{ err error }

// WithResolvedChildren implements ast.Injectable.
func (f failedExpression) WithResolvedChildren([]any) (any, error) { return nil, f.err }
