package rollup

import (
	"reflect"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

var expressions = reflect.TypeFor[ast.Expr]()

// Copied is a copy of a piece of a syntax tree that shares nothing with it which planning changes. Where instead
// gives an expression for another, that is in its place.
func Copied[T any](of T, instead func(ast.Expr) ast.Expr) T {
	v := reflect.ValueOf(&of).Elem()
	out, _ := copyValue(v, instead).Interface().(T)
	return out
}

func copyValue(v reflect.Value, instead func(ast.Expr) ast.Expr) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		if e, ok := v.Interface().(ast.Expr); ok && v.Type() == expressions && instead != nil {
			if other := instead(e); other != nil {
				out.Set(reflect.ValueOf(other))
				return out
			}
		}
		out.Set(copyValue(v.Elem(), instead))
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(copyValue(v.Elem(), instead))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(copyValue(v.Index(i), instead))
		}
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(copyValue(v.Field(i), instead))
			}
		}
		return out
	}
	return v
}
