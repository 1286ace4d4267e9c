package syntax

import (
	"encoding/json"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// The engine's parser knows columns as the parts of a key and no expressions. An expression is handed through it as
// a column's name: this mark, and the expression's text.
const KeyMark = "!key "

// MarkedExpression is the expression that the name of a key part stands for.
func MarkedExpression(name string) (text string, ok bool) { return strings.CutPrefix(name, KeyMark) }

// translateKey makes names of the expressions among the parts of a key that begins at a word.
func translateKey(text string, tokens []statement.Token, i int, closing func(int) int, e *Edits) {
	if len(tokens) == 0 || !tokens[0].Is(text, "CREATE") && !tokens[0].Is(text, "ALTER") {
		return
	}
	open := keyParts(text, tokens, i)
	if open < 0 {
		return
	}
	for at := open + 1; at < closing(open) && at < len(tokens); at++ {
		if tokens[at].Is(text, "(") {
			end := closing(at)
			if end >= len(tokens) {
				return
			}
			if begins := tokens[at-1]; at-1 == open || begins.Is(text, ",") {
				inner := strings.TrimSpace(text[tokens[at].End:tokens[end].Start])
				e.Add(tokens[at].Start, tokens[end].End, sql.QuoteIdentifier(KeyMark+inner))
			}
			at = end
		}
	}
}

// translateGenerated puts the expression of a generated column into parentheses of its own: without, the engine's
// parser takes no comparison, AND or OR there.
func translateGenerated(text string, tokens []statement.Token, i int, closing func(int) int, e *Edits) {
	if !tokens[0].Is(text, "CREATE") && !tokens[0].Is(text, "ALTER") || i+1 >= len(tokens) || !tokens[i+1].Is(text, "(") {
		return
	}
	end := closing(i + 1)
	if end >= len(tokens) {
		return
	}
	for at, t := range tokens[:end] {
		if t.Is(text, "SELECT") || t.Is(text, "VALUES") || t.Is(text, "VIEW") || t.Is(text, "TABLE") && at > i {
			return // a query, or within one
		}
	}
	e.Add(tokens[i+1].End, tokens[i+1].End, "(")
	e.Add(tokens[end].Start, tokens[end].Start, ")")
}

// keyParts is the parenthesis with the parts of a key that begins with KEY, INDEX or UNIQUE; -1: there is none.
func keyParts(text string, tokens []statement.Token, i int) int {
	is := func(words ...string) bool {
		for n, w := range words {
			if i+n >= len(tokens) || !tokens[i+n].Is(text, w) {
				return false
			}
		}
		return true
	}
	named := func() {
		if _, ok := statement.UnquotedName(text, tokens[min(i, len(tokens)-1)]); ok && i < len(tokens) {
			i++
		}
	}
	if is("UNIQUE") {
		i++
	}
	if is("KEY") || is("INDEX") {
		i++
	}
	if is("IF", "NOT", "EXISTS") {
		i += 3
	}
	if !is("USING") && !is("ON") {
		named()
	}
	if is("USING") {
		i += 2
	}
	if is("ON") {
		i++
		named()
		if is(".") {
			i++
			named()
		}
	}
	if is("(") {
		return i
	}
	return -1
}

// TakeKeyExpressions takes the indexes with expressions out of a CREATE TABLE, for CreateTable: the engine would look
// for the columns.
func TakeKeyExpressions(ddl *ast.DDL) {
	if ddl.TableSpec == nil || ddl.Action != ast.CreateStr {
		return
	}
	var kept []*ast.IndexDefinition
	var taken []catalog.Index
	for _, x := range ddl.TableSpec.Indexes {
		idx := catalog.Index{Name: x.Info.Name.String(), Unique: x.Info.Unique, Lengths: make([]int64, len(x.Columns))}
		computed := false
		for i, c := range x.Columns {
			_, expression := MarkedExpression(c.Column.String())
			computed = computed || expression
			idx.Columns = append(idx.Columns, c.Column.String())
			idx.Lengths[i] = PrefixLength(c)
		}
		if !computed {
			kept = append(kept, x)
			continue
		}
		for _, o := range x.Options {
			if strings.EqualFold(o.Name, "comment") && o.Value != nil {
				idx.Comment = string(o.Value.Val)
			}
		}
		taken = append(taken, idx)
	}
	ddl.TableSpec.Indexes = kept
	KeepExtracted(ddl, ExtractedExpressions, taken)
}

// ExtractedExpressions are indexes with expressions: see extractedIndexes.
const ExtractedExpressions = "indexes with expressions"

// PrefixLength is the length that a statement gives a part of a key; 0 is none.
func PrefixLength(c *ast.IndexColumn) (length int64) {
	if c.Length != nil && c.Length.Type == ast.IntVal {
		for _, digit := range c.Length.Val {
			length = min(length*10+int64(digit-'0'), 1<<40)
		}
	}
	return length
}

// DefinitionOf is what the engine would hand on of an index that was taken out of a CREATE TABLE.
func DefinitionOf(idx catalog.Index) sql.IndexDef {
	def := sql.IndexDef{Name: idx.Name, Comment: idx.Comment}
	if idx.Unique {
		def.Constraint = sql.IndexConstraint_Unique
	}
	for i, name := range idx.Columns {
		def.Columns = append(def.Columns, sql.IndexColumn{Name: name, Length: idx.Lengths[i]})
	}
	return def
}

// RefusedKey refuses expressions where MySQL has none: in a primary key, and in keys of other kinds.
func RefusedKey(stmt ast.Statement) error {
	expression := func(columns []*ast.IndexColumn) bool {
		for _, c := range columns {
			if _, ok := MarkedExpression(c.Column.String()); ok {
				return true
			}
		}
		return false
	}
	all := []*ast.DDL{}
	switch n := stmt.(type) {
	case *ast.DDL:
		all = append(all, n)
	case *ast.AlterTable:
		all = n.Statements
	}
	for _, d := range all {
		if d.IndexSpec != nil && d.IndexSpec.Type == ast.PrimaryStr && expression(d.IndexSpec.Columns) {
			return mysqlerr.ComputedPrimaryKey()
		}
		if d.TableSpec == nil {
			continue
		}
		for _, x := range d.TableSpec.Indexes {
			if x.Info.Primary && expression(x.Columns) {
				return mysqlerr.ComputedPrimaryKey()
			}
		}
	}
	return nil
}

// KeepExtracted keeps clauses that were extracted from a CREATE TABLE, for when it runs.
func KeepExtracted[T any](ddl *ast.DDL, name string, taken []T) {
	if len(taken) == 0 {
		return // or it was taken before: a prepared statement is seen again when it runs
	}
	if text, err := json.Marshal(taken); err == nil { // texts always have JSON
		ddl.TableSpec.TableOpts = append(ddl.TableSpec.TableOpts, &ast.TableOption{Name: name, Value: string(text)})
	}
}
