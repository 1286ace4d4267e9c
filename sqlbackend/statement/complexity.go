package statement

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// The engine's work on an expression grows with the square or the cube of its depth, and
// its tokenizer calls itself for each NOT in a row. So a statement may be long, but not
// arbitrarily deep. MySQL has such bounds too, from its threads' stacks.
const (
	maxNotRun   = 200    // NOTs in a row, as many as the parser takes parentheses
	maxTextRun  = 10_000 // texts beside one another, which are one text
	maxComments = 10_000 // comments that are executed
	MaxDepth    = 500    // operators and functions inside one another
	maxBranches = 10_000 // operands of one AND or OR
	maxUnions   = 100    // SELECTs of one UNION
	// columns of one USING, whose time grows with their square, as for VALUES ROW and ALTER TABLE
	maxUsing    = 500
	maxSelected = 4096 // expressions that a query selects, as in MySQL
	maxRow      = 2000 // values of one ROW of a VALUES
	maxAltered  = 2000 // clauses of one ALTER TABLE
	maxKeys     = 65   // keys of a table, with the primary one, as in MySQL
	maxColumns  = 1017 // columns of a table, as in InnoDB
	maxChecks   = 500  // constraints of a table
	// operators inside one another of which each has an operand twice, or asks twice for its type: what is planned
	// grows with a power of their number
	MaxDoubled = 12
	// IN with queries inside one another
	MaxQueried = 16
	maxChain   = 100_000 // operators of one expression, in a text that is not parsed
	MaxDigits  = 4096    // digits of a number, which is read in a time that grows with their square
	maxName    = 64 << 10
	// words and signs of a statement, or of one row of an INSERT: reading them can't be stopped
	maxWords = 500_000
	// constants of a statement that stand in lists in parentheses; neither they nor the commas before them are words then
	maxConstants = 600_000

	// A statement of fewer bytes can't exceed a bound, except MaxDoubled.
	ShallowLength = 600
	shallowest    = 2 * MaxDoubled // the least bytes of one that exceeds MaxDoubled, as -(-(…
)

// What is bounded, for TooComplex.
const (
	Operators = "operators inside one another"
	Doubled   = "of -, NULLIF, BETWEEN, IN, EXISTS, FIELD and CASE inside one another, with those of views"
	Queried   = "of IN (SELECT …) inside one another, with those of views"
)

// Plain errors, as TooComplex makes them.
var (
	errTooManyKeys    = errors.New(mysqlerr.KeysText)
	errTooManyColumns = errors.New(mysqlerr.ColumnsText)
)

// Twice is what an operator counts for MaxDoubled that has an operand twice. One that asks twice for its type counts
// Asked: that is soon done.
const (
	Twice = 2
	Asked = 1
)

// DoubledBy is what a function counts for MaxDoubled, by its name in any case and the number of its arguments.
func DoubledBy(function string, args int) int {
	switch {
	case strings.EqualFold(function, "nullif"):
		return Twice
	case strings.EqualFold(function, "field"):
		return Copies(args - 1)
	}
	return 0
}

// Copies is what an operator counts for MaxDoubled that has an operand n times. One operator may have it any number of
// times, but not two of them inside one another.
func Copies(n int) int {
	const most = MaxDoubled/2 + 1
	return Twice * min(bits.Len(uint(max(n, 1)-1)), most)
}

// TooComplex is a plain error, because the engine makes text of every error of its parser;
// FinishError knows it by its beginning.
func TooComplex(what string, limit int) error {
	return fmt.Errorf("%s: more than %d %s", mysqlerr.TooComplex, limit, what)
}

// CheckText refuses, before it is parsed, a text that the tokenizer can't read. The tokenizer calls itself for each
// NOT and FOR in a row, for each text beside another one, and for each comment that MySQL executes. With too many the
// process has no stack left. A comment ends at the next end of one: comments don't nest.
func CheckText(query string) error {
	if err := checkNames(query); err != nil || len(query) < ShallowLength {
		return err
	}
	words, texts, comments, parts, constants := 0, 0, 0, 0, 0
	kind, rows := kindAt(query), false
	var operators chains
	end, within := len(query), false // of the comment that is read
	for i := 0; i < len(query); {
		if i >= end {
			i, end, within = end+len("*/"), len(query), false
			continue
		}
		if parts > maxWords {
			return TooComplex("words and signs", maxWords)
		}
		rest := query[i:end]
		switch c := query[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case isWord(rest, "not") || isWord(rest, "for"):
			if words++; words > maxNotRun {
				return TooComplex("NOTs in a row", maxNotRun)
			}
			parts++
			i += len("not")
		case c == '\'' || c == '"':
			if texts++; texts > maxTextRun {
				return TooComplex("texts beside one another", maxTextRun)
			}
			words = 0
			parts++
			i += QuotedEnd(rest, 0)
		case c == '`':
			words, texts = 0, 0
			parts++
			n := QuotedEnd(rest, 0)
			if n > maxName {
				return longName(n)
			}
			i += n
		case strings.HasPrefix(rest, "/*!"):
			if comments++; comments > maxComments {
				return TooComplex("comments that are executed", maxComments)
			}
			i += len("/*!")
			if !within {
				inner, _, _ := strings.Cut(query[i:], "*/")
				end, within = i+len(inner), true
			}
		case strings.HasPrefix(rest, "/*"):
			inner, _, _ := strings.Cut(rest[len("/*"):], "*/")
			i += len("/*") + len(inner) + len("*/")
		case c == '#' || strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			i += len(line) + 1
		default:
			words, texts = 0, 0
			n := operators.read(rest)
			if c == ',' && operators.depth > 0 && (!rows || operators.depth > 1) {
				if listed := constantEnd(rest); listed > 0 {
					if constants++; constants > maxConstants {
						return TooComplex("constants in lists", maxConstants)
					}
					i += listed
					continue
				}
			}
			if operators.most > maxChain {
				return TooComplex("operators of one expression", maxChain)
			}
			if i == 0 || !IsNameByte(c) || !IsNameByte(query[i-1]) { // else of a number
				if parts++; n > maxName {
					return longName(n)
				}
			}
			if c == ';' && kind != program {
				parts, constants, rows, kind = 0, 0, false, kindAt(rest[1:])
				operators.blocks = 0
			}
			if kind == inserts && operators.depth == 0 {
				switch word := rest[:n]; {
				case rows && word == ",": // between two rows
					parts = 0
				case IsNameByte(c):
					rows = strings.EqualFold(word, "VALUES") || strings.EqualFold(word, "VALUE")
				}
			}
			i += n
		}
	}
	return nil
}

// statementKind is the kind of a statement, as far as CheckText needs it.
type statementKind int

const (
	others statementKind = iota
	inserts
	program // goes on behind a semicolon
)

// programKinds are the kinds of objects that contain statements, as CREATE names them.
var programKinds = []string{"PROCEDURE", "FUNCTION", "TRIGGER", "EVENT"}

// maxBeforeProgram is how many words may stand before that, as in CREATE OR REPLACE DEFINER = 'a'@'b' PROCEDURE.
const maxBeforeProgram = 16

// kindAt is the kind of the statement that a text begins with.
func kindAt(text string) statementKind {
	switch first := NextToken(text, 0); {
	case first.Is(text, "INSERT"), first.Is(text, "REPLACE"):
		return inserts
	case first.Is(text, "CREATE"):
		for range maxBeforeProgram {
			first = NextToken(text, first.End)
			if first.Kind == TokenEnd || text[first.Start] == '(' {
				break
			}
			for _, kind := range programKinds {
				if first.Is(text, kind) {
					return program
				}
			}
		}
	}
	return others
}

// constantEnd is where a number or a text at the beginning of rest ends. It must stand behind a comma, and before
// another one or the end of the list; 0: there is none.
func constantEnd(rest string) int {
	n := spaceEnd(rest, 1)
	if n < len(rest) && (rest[n] == '-' || rest[n] == '+') {
		n++
	}
	if n == len(rest) {
		return 0
	}
	switch c := rest[n]; {
	case c == '\'' || c == '"':
		n = QuotedEnd(rest, n)
	case IsDigitByte(c):
		number := NextToken(rest, n)
		if number.Kind != tokenNumber || number.End-n > MaxDigits {
			return 0
		}
		n = number.End
	default:
		return 0
	}
	if after := spaceEnd(rest, n); after < len(rest) && (rest[after] == ',' || rest[after] == ')') {
		return n
	}
	return 0
}

// spaceEnd is where the space at a position ends.
func spaceEnd(text string, pos int) int {
	for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t' || text[pos] == '\n' || text[pos] == '\r') {
		pos++
	}
	return pos
}

// longName is the error for a name of so many bytes; its number goes by its text.
func longName(bytes int) error {
	return fmt.Errorf("invalid identifier: a name of %d bytes is too long; the limit is %d", bytes, maxName)
}

// checkNames refuses names with a zero byte, as MySQL does: clients take them for shorter ones.
func checkNames(query string) error {
	if strings.IndexByte(query, 0) < 0 {
		return nil
	}
	for pos := 0; ; {
		t := NextToken(query, pos)
		if t.Kind == TokenEnd {
			return nil
		}
		if name := query[t.Start:t.End]; t.Kind == TokenQuoted && strings.IndexByte(name, 0) >= 0 {
			return fmt.Errorf("syntax error at position %d near %q: a name with a zero byte", t.End, name)
		}
		pos = t.End
	}
}

// isWord reports whether the text begins with a word of three letters, given in small ones.
func isWord(s, word string) bool {
	if len(s) < 4 || s[0]|0x20 != word[0] || s[1]|0x20 != word[1] || s[2]|0x20 != word[2] {
		return false
	}
	c := s[3]
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '/' || c == '('
}

// CheckDepth refuses a syntax tree that the engine would work on for minutes.
func CheckDepth(stmt ast.Statement, query string) error {
	if stmt == nil || len(query) < shallowest {
		return nil
	}
	return walkDepth(stmt, depths{})
}

// depths counts the nodes above a node.
type depths struct {
	nested, branches, unions, doubled int
	queries                           int  // in expressions
	table                             bool // the next query is a derived table
}

func walkDepth(n ast.SQLNode, d depths) error {
	ofFirst := 0 // what the first operand alone adds to doubled
	switch n := n.(type) {
	case *ast.SQLVal:
		if n != nil && (n.Type == ast.IntVal || n.Type == ast.FloatVal) && len(n.Val) > MaxDigits {
			return TooComplex("digits in a number", MaxDigits)
		}
	case *ast.FuncExpr:
		d.nested++
		d.doubled += DoubledBy(n.Name.String(), len(n.Exprs))
	case *ast.RangeCond:
		d.nested++
		ofFirst = Twice
	case *ast.UnaryExpr:
		d.nested++
		if n.Operator == ast.UMinusStr {
			d.doubled += Asked
		}
	case *ast.CaseExpr:
		d.nested++
		if n.Expr != nil {
			copies := len(n.Whens)
			if alike(n) {
				copies = min(copies, 2) // it is evaluated once
			}
			ofFirst = Copies(copies)
		}
	case *ast.ComparisonExpr:
		d.nested++
		if list, ok := n.Right.(ast.ValTuple); ok {
			ofFirst = Copies(kindsOf(list))
		}
	case *ast.AndExpr, *ast.OrExpr, *ast.XorExpr:
		d.branches++
	case *ast.AliasedTableExpr:
		// The plan builder spells a query out once more where it names a column, with the derived tables in it.
		if _, d.table = n.Expr.(*ast.Subquery); d.table && d.queries > 0 {
			d.doubled += Twice
		}
	case *ast.Subquery:
		if !d.table {
			d.queries++
		}
		d.table = false
	case *ast.SetOp:
		d.unions++
	case *ast.Select:
		if len(n.SelectExprs) > maxSelected {
			return errTooManyColumns
		}
	case *ast.ValuesStatement:
		if len(n.Rows) > 0 && len(n.Rows[0]) > maxRow {
			return TooComplex("values of a row", maxRow)
		}
	case *ast.DDL:
		if n.TableSpec != nil && len(n.TableSpec.Indexes) > maxKeys {
			return errTooManyKeys
		}
		if n.TableSpec != nil && len(n.TableSpec.Columns) > maxColumns {
			return errTooManyColumns
		}
		if n.TableSpec != nil && len(n.TableSpec.Constraints) > maxChecks {
			return TooComplex("constraints of a table", maxChecks)
		}
	case *ast.AlterTable:
		if len(n.Statements) > maxAltered {
			return TooComplex("clauses of ALTER TABLE", maxAltered)
		}
	case *ast.JoinTableExpr:
		if len(n.Condition.Using) > maxUsing {
			return TooComplex("columns of USING", maxUsing)
		}
	case ast.Expr:
		d.nested++
	}
	switch {
	case d.nested > MaxDepth:
		return TooComplex(Operators, MaxDepth)
	case d.branches > maxBranches:
		return TooComplex("operands of AND and OR", maxBranches)
	case d.doubled > Twice*MaxDoubled:
		return TooComplex(Doubled, MaxDoubled)
	case d.unions > maxUnions:
		return TooComplex("SELECTs of a UNION", maxUnions)
	}
	first := true
	return Walk(func(child ast.SQLNode) (bool, error) {
		if first {
			first = false
			return true, nil
		}
		if child == nil {
			return false, nil
		}
		of := d
		of.doubled += ofFirst
		ofFirst = 0
		return false, walkDepth(child, of)
	}, n)
}

// alike reports whether a CASE compares with literals of one kind, and has results of one kind, without decimals.
func alike(n *ast.CaseExpr) bool {
	results, compared := []ast.Expr{n.Else}, make([]ast.Expr, len(n.Whens))
	for i, w := range n.Whens {
		results, compared[i] = append(results, w.Val), w.Cond
	}
	return ofKind(results) && ofKind(compared)
}

func ofKind(list []ast.Expr) bool {
	kinds := 0
	for _, e := range list {
		switch e := e.(type) {
		case nil, *ast.NullVal:
		case *ast.SQLVal:
			kinds |= 1 << e.Type
		default:
			return false
		}
	}
	return kinds == 0 || kinds == 1<<ast.IntVal || kinds == 1<<ast.StrVal
}

// kindsOf counts the kinds of a list's elements that are compared in different ways.
func kindsOf(list ast.ValTuple) int {
	kinds := 0
	for _, e := range list {
		kind := 0
		if v, ok := e.(*ast.SQLVal); ok {
			kind = 1 + int(v.Type)
		}
		kinds |= 1 << kind
	}
	return bits.OnesCount(uint(kinds))
}
