package program

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Why statements are interpreted.
var (
	errKind    = errors.New("it is no SELECT, INSERT, UPDATE or DELETE of one table")
	errOptions = errors.New("it has a hint, a lock or another option")
	errLiteral = errors.New("a literal is no operand of a condition or an assignment")
)

// Unknown is an error that names a part of a statement or of its plan that programs don't have.
func Unknown(part any) error {
	name := fmt.Sprintf("%T", part)
	return errors.New("programs have no " + name[strings.LastIndexByte(name, '.')+1:])
}

// Shape holds the parts of a statement's syntax tree that its program needs.
type Shape struct {
	stmt   ast.Statement
	where  *ast.Where
	limit  *ast.Limit
	given  ast.Values          // of INSERT
	sets   ast.AssignmentExprs // of UPDATE and ON DUPLICATE KEY UPDATE
	places map[*ast.SQLVal]int // of literals that are parameters
	// prepared: its parameters are named, and its literals are none.
	prepared bool
}

// ShapeOf looks at a statement; the error is why it has no program. values are its parameters: the named ones, or
// where there are none, its literals. Literals are in the order of the text, which Normal has given; if the text is
// empty, in the order of the tree.
func ShapeOf(stmt ast.Statement, text string, values Values) (*Shape, error) {
	s := &Shape{stmt: stmt, places: map[*ast.SQLVal]int{}}
	if err := s.clauses(); err != nil {
		return nil, err
	}
	if err := s.steadyWhere(); err != nil {
		return nil, err
	}
	var found []*ast.SQLVal
	err := statement.Walk(func(n ast.SQLNode) (bool, error) {
		if v, ok := n.(*ast.SQLVal); ok {
			found, s.prepared = append(found, v), s.prepared || v.Type == ast.ValArg
		}
		return true, known(n)
	}, stmt)
	if err != nil {
		return nil, err
	}
	if n := len(found); !s.prepared && text != "" && s.limit != nil && s.limit.Offset != nil {
		behind, ok := isOffsetLast(text)
		if !ok || n < 2 || found[n-2] != s.limit.Offset || found[n-1] != s.limit.Rowcount {
			return nil, errOffset
		}
		if behind {
			found[n-2], found[n-1] = found[n-1], found[n-2]
		}
	}
	at := 0
	for _, v := range found {
		switch {
		case s.prepared && v.Type == ast.ValArg:
			n, err := strconv.Atoi(strings.TrimPrefix(string(v.Val), ":v"))
			if err != nil || n < 1 || n > len(values) {
				return nil, errLiteral
			}
			s.places[v] = n - 1
		case s.prepared:
		case v.Type == ast.StrVal || v.Type == ast.IntVal:
			if is, ok := literalOf(v); !ok || at >= len(values) || is != values[at] {
				continue // a number that is none of the parameters
			}
			s.places[v] = at
			at++
		}
	}
	if !s.prepared && at != len(values) {
		return nil, errLiteral
	}
	return s, nil
}

// steadyWhere is an error where a condition asks for the time: planning computes what has no columns.
func (s *Shape) steadyWhere() error {
	if s.where == nil {
		return nil
	}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		f, ok := n.(*ast.FuncExpr)
		if ok && (times[f.Name.Lowered()] || f.Name.Lowered() == "unix_timestamp" && len(f.Exprs) == 0) {
			return false, fmt.Errorf("the function %s in a condition", f.Name.String())
		}
		return true, nil
	}, s.where.Expr)
}

// errOffset: LIMIT 1 OFFSET 2 and LIMIT 2, 1 are one syntax tree. Only in the text can the two literals be
// distinguished.
var errOffset = errors.New("an OFFSET that is no plain number")

// isOffsetLast reports whether the last two literals of a text stand as in LIMIT 1 OFFSET 2, not as in LIMIT 2, 1. ok
// is false if they stand as in neither.
func isOffsetLast(text string) (behind, ok bool) {
	last := strings.LastIndexByte(text, 0)
	if last < 0 {
		return false, false
	}
	before := strings.LastIndexByte(text[:last], 0)
	if before < 0 {
		return false, false
	}
	between := strings.TrimSpace(text[before+2 : last])
	behind = strings.EqualFold(between, "OFFSET")
	return behind, behind || between == ","
}

// ValuesIn are the literals of a statement that would be parameters if it was run.
func ValuesIn(stmt ast.Statement) (values Values) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if v, is := n.(*ast.SQLVal); is {
			if v, ok := literalOf(v); ok && len(values) < maxValues {
				values = append(values, v)
			}
		}
		return true, nil
	}, stmt)
	return values
}

// clauses looks at the clauses of a statement.
func (s *Shape) clauses() error {
	var from ast.TableExprs
	switch n := s.stmt.(type) {
	case *ast.Select:
		opts := n.QueryOpts
		opts.Distinct = false
		if n.Into != nil || n.With != nil || len(n.Window) > 0 ||
			len(n.Comments) > 0 || opts != (ast.QueryOpts{}) {
			return errOptions
		}
		from, s.where, s.limit = n.From, n.Where, n.Limit
	case *ast.Insert:
		rows, ok := n.Rows.(*ast.AliasedValues)
		if !ok || n.With != nil || len(n.Partitions) > 0 || len(n.Returning) > 0 || len(n.Comments) > 0 ||
			!rows.As.IsEmpty() {
			return errOptions
		}
		s.given, s.sets = rows.Values, ast.AssignmentExprs(n.OnDup)
		return nil
	case *ast.Update:
		if n.Ignore != "" || n.With != nil || len(n.Returning) > 0 || len(n.Comments) > 0 {
			return errOptions
		}
		from, s.where, s.limit, s.sets = n.TableExprs, n.Where, n.Limit, n.Exprs
	case *ast.Delete:
		if n.With != nil || len(n.Returning) > 0 || len(n.Comments) > 0 || len(n.Targets) > 0 || len(n.Partitions) > 0 {
			return errOptions
		}
		from, s.where, s.limit = n.TableExprs, n.Where, n.Limit
	default:
		return errKind
	}
	if len(from) != 1 {
		return errKind
	}
	one, ok := from[0].(*ast.AliasedTableExpr)
	if !ok || one.AsOf != nil || one.Hints != nil || len(one.Partitions) > 0 {
		return errKind
	}
	if _, ok := one.Expr.(ast.TableName); !ok {
		return errKind
	}
	return nil
}

// steady are the functions whose results depend on nothing but the values of their operands, the settings that programs
// are found by, and the time.
var steady = wordsOf(`count sum avg min max
	member_of json_contains json_extract json_unquote json_value json_length json_type json_array json_object
	json_overlaps json_keys json_contains_path json_valid json_depth json_quote
	upper ucase lower lcase concat concat_ws length char_length character_length substring substr mid left right trim
	ltrim rtrim replace reverse repeat lpad rpad instr locate position field strcmp substring_index hex unhex ascii
	ifnull coalesce nullif if isnull greatest least
	abs ceil ceiling floor round truncate mod sign sqrt power pow exp ln log log2 log10
	date time year month day dayofmonth dayofweek dayofyear weekday week quarter hour minute second microsecond
	date_format datediff last_day to_days date_add date_sub adddate subdate timestampdiff unix_timestamp from_unixtime`)

// times are the functions of the time. They are asked for it when they run, unless planning computes them.
var times = wordsOf("now current_timestamp localtime localtimestamp curdate current_date")

func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(text) {
		out[word] = true
	}
	return out
}

// known is the reason why a part of a syntax tree keeps its statement from having a program: its result depends on
// more than values and rows. It is nil if there is none.
func known(n ast.SQLNode) error {
	switch n := n.(type) {
	case *ast.FuncExpr:
		if name := n.Name.Lowered(); n.Over == nil && n.Qualifier.IsEmpty() && (steady[name] || times[name]) {
			return nil
		}
		return fmt.Errorf("the function %s", n.Name.String())
	case *ast.ColName:
		if strings.HasPrefix(n.Name.String(), "@") {
			return errors.New("a variable")
		}
	case *ast.UnaryExpr:
		if n.Operator != ast.UMinusStr && n.Operator != ast.UPlusStr {
			return fmt.Errorf("the operator %s", n.Operator)
		}
	case *ast.Select, *ast.Insert, *ast.Update, *ast.Delete, *ast.AliasedValues, ast.Values, ast.ValTuple, ast.SelectExprs,
		*ast.AliasedExpr, *ast.StarExpr, ast.TableExprs, *ast.AliasedTableExpr, ast.TableName, ast.TableIdent,
		ast.ColIdent, ast.Columns, *ast.Where, ast.GroupBy, ast.OrderBy, *ast.Order, *ast.Limit, ast.AssignmentExprs,
		*ast.AssignmentExpr, *ast.SQLVal, *ast.NullVal, ast.BoolVal, *ast.ParenExpr, *ast.BinaryExpr,
		*ast.ComparisonExpr, *ast.RangeCond, *ast.IsExpr, *ast.AndExpr, *ast.OrExpr, *ast.NotExpr, ast.Comments,
		ast.OnDup, ast.Partitions, ast.TableNames, ast.Exprs, *ast.IndexHints, ast.Window, ast.InsertRows, *ast.With,
		*ast.Into, *ast.Default, *ast.AsOf, *ast.Over, *ast.CaseExpr, *ast.When, *ast.ConvertExpr, *ast.ConvertType,
		*ast.SubstrExpr, *ast.TrimExpr, *ast.IntervalExpr, *ast.TimestampFuncExpr,
		*ast.ExtractFuncExpr, *ast.CollateExpr, *ast.ValuesFuncExpr, nil:
	default:
		return Unknown(n)
	}
	return nil
}
