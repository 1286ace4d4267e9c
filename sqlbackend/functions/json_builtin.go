package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// JSONDefinitions are MySQL's JSON functions over document values:
// https://dev.mysql.com/doc/refman/8.0/en/json-function-reference.html
var JSONDefinitions = makeJSONDefinitions()

func makeJSONDefinitions() map[string]*jsonDefinition {
	out := map[string]*jsonDefinition{}
	for _, d := range []jsonDefinition{
		{Name: "json_extract", least: 2, typ: types.JSON, eval: jsonExtract, description: "returns the values at paths"},
		{Name: "json_unquote", least: 1, most: 1, typ: types.LongText, eval: jsonUnquote,
			description: "returns a JSON string as text"},
		{Name: "json_quote", least: 1, most: 1, typ: types.LongText, eval: jsonQuote,
			description: "returns text as a JSON string"},
		{Name: "json_value", least: 2, most: 3, typ: types.LongText, eval: jsonValue,
			description: "returns the scalar at a path"},
		{Name: "json_value_as", least: 3, most: 3, typ: types.LongText, eval: jsonValue,
			description: "returns the scalar at a path as a value of an expression's type"},
		{Name: "json_contains", least: 2, most: 3, typ: types.Boolean, eval: jsonContains,
			description: "returns whether a JSON value contains another"},
		{Name: "json_overlaps", least: 2, most: 2, typ: types.Boolean, eval: jsonOverlaps,
			description: "returns whether two JSON values have something in common"},
		{Name: "member_of", least: 2, most: 2, typ: types.Boolean, eval: memberOf,
			description: "returns whether a value is an element of a JSON array"},
		{Name: "json_contains_path", least: 3, typ: types.Boolean, eval: jsonContainsPath,
			description: "returns whether there is something at paths"},
		{Name: "json_search", least: 3, typ: types.JSON, eval: jsonSearch,
			description: "returns the paths of strings that are like a pattern"},
		{Name: "json_type", least: 1, most: 1, typ: types.LongText, eval: jsonType1,
			description: "returns the type of a JSON value"},
		{Name: "json_valid", least: 1, most: 1, typ: types.Boolean, eval: jsonValid,
			description: "returns whether a value is JSON"},
		{Name: "json_length", least: 1, most: 2, typ: types.Int32, eval: jsonLength,
			description: "returns the number of elements"},
		{Name: "json_depth", least: 1, most: 1, typ: types.Int32, eval: jsonDepth,
			description: "returns the depth of a JSON value"},
		{Name: "json_keys", least: 1, most: 2, typ: types.JSON, eval: jsonKeys, description: "returns the keys of an object"},
		{Name: "json_array", typ: types.JSON, eval: jsonArray, description: "makes a JSON array"},
		{Name: "json_object", typ: types.JSON, eval: jsonObject, description: "makes a JSON object"},
		{Name: "json_pretty", least: 1, most: 1, typ: types.LongText, eval: jsonPretty,
			description: "returns JSON laid out for people"},
		{Name: "json_storage_size", least: 1, most: 1, typ: types.Int64, eval: jsonStorageSize,
			description: "returns the bytes of a JSON value"},
		{Name: "json_storage_free", least: 1, most: 1, typ: types.Int64, eval: jsonStorageFree,
			description: "returns the bytes freed by updates in place"},
		{Name: "json_set", least: 3, typ: types.JSON, eval: jsonEdit(value.EditSet), description: "sets values at paths"},
		{Name: "json_insert", least: 3, typ: types.JSON, eval: jsonEdit(value.EditInsert),
			description: "sets values at paths where there are none"},
		{Name: "json_replace", least: 3, typ: types.JSON, eval: jsonEdit(value.EditReplace),
			description: "sets values at paths where there are some"},
		{Name: "json_array_append", least: 3, typ: types.JSON, eval: jsonEdit(value.EditArrayAppend),
			description: "appends to arrays at paths"},
		{Name: "json_array_insert", least: 3, typ: types.JSON, eval: jsonEdit(value.EditArrayInsert),
			description: "inserts into arrays at paths"},
		{Name: "json_remove", least: 2, typ: types.JSON, eval: jsonRemove, description: "removes what is at paths"},
		{Name: "json_merge_patch", least: 2, typ: types.JSON, eval: jsonMergePatch,
			description: "merges JSON, the later replacing the earlier"},
		{Name: "json_merge_preserve", least: 2, typ: types.JSON, eval: jsonMergePreserve,
			description: "merges JSON, keeping all values"},
	} {
		out[d.Name] = &d
	}
	return out
}

func jsonExtract(c *jsonCall) (interface{}, error) {
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 2 {
		p, err := c.path(1)
		if err != nil {
			return nil, err
		}
		return found(p.Extract(doc))
	}
	text := []byte{'['}
	for i := 1; i < len(c.args); i++ {
		p, err := c.path(i)
		if err != nil {
			return nil, err
		}
		p.Each(doc, func(v document.Value) bool {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(text, v.Raw()...)
			return true
		})
	}
	return found(document.FromCompact(append(text, ']')), len(text) > 1)
}

func found(v document.Value, ok bool) (interface{}, error) {
	if !ok {
		return nil, nil
	}
	return value.JSON{Held: v}, nil
}

// unquoted returns the result of ->>: the content of a string, the text of any other value.
func unquoted(v document.Value) string {
	if v.Type() == document.TypeString {
		return v.Str()
	}
	return v.Text()
}

func jsonUnquote(c *jsonCall) (interface{}, error) {
	switch v := c.args[0].(type) {
	case nil:
		return nil, nil
	case sql.JSONWrapper:
		value, err := value.ValueOf(v)
		return unquoted(value), err
	}
	text, err := value.TextOf(c.ctx, c.args[0])
	if err != nil || len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return text, err
	}
	v, err := document.ParseValue([]byte(text), document.Limits{})
	if err != nil {
		return nil, jsonArgumentError(err, 1, c.name)
	}
	return unquoted(v), nil
}

func jsonQuote(c *jsonCall) (interface{}, error) {
	if c.args[0] == nil {
		return nil, nil
	}
	text, err := value.TextOf(c.ctx, c.args[0])
	return string(value.AppendString(nil, text)), err
}

// jsonValue computes JSON_VALUE with NULL ON EMPTY NULL ON ERROR, MySQL's defaults.
func jsonValue(c *jsonCall) (interface{}, error) {
	if c.anyNull(2) {
		return nil, nil
	}
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	p, err := c.path(1)
	if err != nil {
		return nil, err
	}
	v, ok := p.Extract(doc)
	if !ok {
		return nil, nil
	}
	if len(c.args) == 3 && types.IsJSON(c.call.Result) {
		return value.JSON{Held: v}, nil
	}
	switch v.Type() {
	case document.TypeNull, document.TypeArray, document.TypeObject:
		return nil, nil
	}
	converted, err := scalarAs(c.ctx, v, c.call.Result)
	if err != nil {
		return nil, nil
	}
	return converted, nil
}

// scalarAs returns a JSON string, number or boolean as a value of a SQL type; an error if the type has no such value.
func scalarAs(ctx *sql.Context, v document.Value, t sql.Type) (interface{}, error) {
	var scalar interface{} = unquoted(v)
	if v.Type() == document.TypeNumber && !types.IsTextOnly(t) {
		scalar = value.NumberValue(v.Number())
	} else if v.Type() == document.TypeBool && types.IsNumber(t) {
		scalar = v.Bool()
	}
	converted, inRange, err := t.Convert(ctx, scalar)
	if err == nil && inRange != sql.InRange {
		err = sql.ErrValueOutOfRange.New(scalar, t)
	}
	return converted, err
}

func jsonContains(c *jsonCall) (interface{}, error) {
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	target, err := c.document(0)
	if err != nil {
		return nil, err
	}
	candidate, err := c.document(1)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		p, err := c.path(2)
		if err != nil {
			return nil, err
		}
		if p.Wildcard() {
			return nil, pathError(value.ErrJSONPathWildcard)
		}
		var ok bool
		if target, ok = p.Extract(target); !ok {
			return nil, nil
		}
	}
	p := hold.Pace{Ctx: c.ctx}
	is := p.Contains(target, candidate)
	return is, p.Err
}

func jsonOverlaps(c *jsonCall) (interface{}, error) {
	if c.anyNull(2) {
		return nil, nil
	}
	a, err := c.document(0)
	if err != nil {
		return nil, err
	}
	b, err := c.document(1)
	if err != nil {
		return nil, err
	}
	p := hold.Pace{Ctx: c.ctx}
	is := p.Overlaps(a, b)
	return is, p.Err
}

// memberOf computes value MEMBER OF (array).
func memberOf(c *jsonCall) (interface{}, error) {
	if c.anyNull(2) {
		return nil, nil
	}
	v, err := c.scalar(0)
	if err != nil {
		return nil, err
	}
	array, err := c.document(1)
	if err != nil {
		return nil, err
	}
	if array.Type() != document.TypeArray {
		return hold.EqualJSON(array, v), nil
	}
	p := hold.Pace{Ctx: c.ctx}
	is := p.IsElement(array, v)
	return is, p.Err
}

func jsonContainsPath(c *jsonCall) (interface{}, error) {
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	all, err := c.oneOrAll(1)
	if err != nil {
		return nil, err
	}
	for i := 2; i < len(c.args); i++ {
		p, err := c.path(i)
		if err != nil {
			return nil, err
		}
		some := !p.Each(doc, func(document.Value) bool { return false })
		if some != all {
			return some, nil
		}
	}
	return all, nil
}

func jsonType1(c *jsonCall) (interface{}, error) {
	if c.args[0] == nil {
		return nil, nil
	}
	v, err := c.document(0)
	if err != nil {
		return nil, err
	}
	if cast, ok := c.call.Args[0].(*JSONCast); ok {
		if name := castTypeName(cast.Child.Type()); name != "" {
			return name, nil
		}
	}
	return value.JSONTypeName(v), nil
}

// castTypeName returns the JSON_TYPE of a value cast to JSON where the JSON text does not show it.
func castTypeName(t sql.Type) string {
	switch {
	case types.IsDecimal(t):
		return "DECIMAL"
	case types.IsUnsigned(t):
		return "UNSIGNED INTEGER"
	case types.IsDateType(t):
		return "DATE"
	case types.IsTime(t):
		return "DATETIME"
	case value.IsTimespan(t):
		return "TIME"
	case types.IsFloat(t):
		return "DOUBLE"
	}
	return ""
}

func jsonValid(c *jsonCall) (interface{}, error) {
	switch c.args[0].(type) {
	case nil:
		return nil, nil
	case sql.JSONWrapper:
		return true, nil
	case string, []byte:
		_, err := c.document(0)
		return err == nil, nil
	}
	return false, nil
}

func jsonLength(c *jsonCall) (interface{}, error) {
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	v, err := c.document(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 2 {
		p, err := c.path(1)
		if err != nil {
			return nil, err
		}
		var ok bool
		if v, ok = p.Extract(v); !ok {
			return nil, nil
		}
	}
	if t := v.Type(); t != document.TypeArray && t != document.TypeObject {
		return int32(1), nil
	}
	return int32(v.Count()), nil
}

func jsonDepth(c *jsonCall) (interface{}, error) {
	if c.args[0] == nil {
		return nil, nil
	}
	v, err := c.document(0)
	if err != nil {
		return nil, err
	}
	return int32(depthOf(v)), nil
}

func depthOf(v document.Value) int {
	depth := 0
	for _, e := range v.Elements() {
		depth = max(depth, depthOf(e))
	}
	for _, m := range v.Members() {
		depth = max(depth, depthOf(m))
	}
	return depth + 1
}

func jsonKeys(c *jsonCall) (interface{}, error) {
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	v, err := c.document(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 2 {
		p, err := c.path(1)
		if err != nil {
			return nil, err
		}
		var ok bool
		if v, ok = p.Extract(v); !ok {
			return nil, nil
		}
	}
	if v.Type() != document.TypeObject {
		return nil, nil
	}
	text := []byte{'['}
	for name := range v.Members() {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = value.AppendString(text, name)
	}
	return value.JSON{Held: document.FromCompact(append(text, ']'))}, nil
}

func jsonArray(c *jsonCall) (interface{}, error) {
	text := []byte{'['}
	for i := range c.args {
		if i > 0 {
			text = append(text, ',')
		}
		v, err := c.scalar(i)
		if err != nil {
			return nil, err
		}
		text = append(text, v.Raw()...)
	}
	return value.OwnJSON(append(text, ']'))
}

func jsonObject(c *jsonCall) (interface{}, error) {
	if len(c.args)%2 != 0 {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_OBJECT", "an even number of", len(c.args))
	}
	var members value.JSONMembers
	for i := 0; i < len(c.args); i += 2 {
		if c.args[i] == nil {
			return nil, NullMemberName()
		}
		name, err := value.TextOf(c.ctx, c.args[i])
		if err != nil {
			return nil, err
		}
		v, err := c.scalar(i + 1)
		if err != nil {
			return nil, err
		}
		members.Set(name, v.Raw())
	}
	return members.Object()
}

// NullMemberName returns MySQL's error for an object whose member has NULL for a name.
func NullMemberName() error {
	return mysql.NewSQLError(errJSONKeyNull, "22032", "JSON documents may not contain NULL member names.")
}

func jsonPretty(c *jsonCall) (interface{}, error) {
	if c.args[0] == nil {
		return nil, nil
	}
	v, err := c.document(0)
	if err != nil {
		return nil, err
	}
	return string(appendPretty(nil, v, "")), nil
}

func appendPretty(dst []byte, v document.Value, indent string) []byte {
	if v.IsEmpty() || v.Type() != document.TypeArray && v.Type() != document.TypeObject {
		return append(dst, v.Raw()...)
	}
	inner := indent + "  "
	first := true
	next := func() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, '\n'), inner...)
	}
	if v.Type() == document.TypeArray {
		dst = append(dst, '[')
		for _, e := range v.Elements() {
			next()
			dst = appendPretty(dst, e, inner)
		}
		return append(append(append(dst, '\n'), indent...), ']')
	}
	dst = append(dst, '{')
	for name, m := range v.Members() {
		next()
		dst = append(value.AppendString(dst, name), ": "...)
		dst = appendPretty(dst, m, inner)
	}
	return append(append(append(dst, '\n'), indent...), '}')
}

func jsonStorageSize(c *jsonCall) (interface{}, error) {
	if c.args[0] == nil {
		return nil, nil
	}
	v, err := c.document(0)
	return int64(v.Len()), err
}

func jsonStorageFree(c *jsonCall) (interface{}, error) {
	if c.args[0] == nil {
		return nil, nil
	}
	_, err := c.document(0)
	return int64(0), err
}
