package functions

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// jsonEdit returns a function that takes a document and pairs of path and value.
func jsonEdit(op value.EditOperation) func(*jsonCall) (interface{}, error) {
	return func(c *jsonCall) (interface{}, error) {
		if len(c.args)%2 == 0 {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(c.name), "an odd number of", len(c.args))
		}
		if err := checkChanges(c, 2); err != nil {
			return nil, err
		}
		if c.args[0] == nil {
			return nil, nil
		}
		doc, err := c.document(0)
		if err != nil {
			return nil, err
		}
		for i := 1; i < len(c.args); i += 2 {
			if err := c.ctx.Err(); err != nil { // each edit copies the document
				return nil, err
			}
			if c.args[i] == nil {
				return nil, nil
			}
			p, err := c.path(i)
			if err != nil {
				return nil, err
			}
			v, err := c.scalar(i + 1)
			if err != nil {
				return nil, err
			}
			if doc, _, err = value.EditValue(op, doc, p, v.Raw()); err != nil {
				return nil, pathError(err)
			}
		}
		return value.JSON{Held: doc}, nil
	}
}

// maxChanges bounds the paths that one function changes: each of them copies the document.
const maxChanges = 1000

// checkChanges refuses a function that would change a document in more places; each place takes width arguments.
func checkChanges(c *jsonCall, width int) error {
	if len(c.args)/width > maxChanges {
		return statement.TooComplex("paths of "+strings.ToUpper(c.name), maxChanges)
	}
	return nil
}

func jsonRemove(c *jsonCall) (interface{}, error) {
	if err := checkChanges(c, 1); err != nil {
		return nil, err
	}
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(c.args); i++ {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		p, err := c.path(i)
		if err != nil {
			return nil, err
		}
		if doc, _, err = value.EditValue(value.EditRemove, doc, p, nil); err != nil {
			return nil, pathError(err)
		}
	}
	return value.JSON{Held: doc}, nil
}

// jsonMergePatch computes JSON_MERGE_PATCH, RFC 7396.
func jsonMergePatch(c *jsonCall) (interface{}, error) {
	var result interface{}
	for i, a := range c.args {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if a == nil {
			// An object merged into NULL is unknown; anything else replaces it.
			result = nil
			continue
		}
		v, err := c.document(i)
		if err != nil {
			return nil, err
		}
		old, known := result.(value.JSON)
		switch {
		case i == 0:
			result = value.JSON{Held: v}
		case v.Type() != document.TypeObject:
			result = value.JSON{Held: v}
		case known:
			if result, err = value.OwnJSON(patch(old.Held, v)); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

// patch returns the text of target with the members of an object p merged in.
func patch(target, p document.Value) []byte {
	text := []byte{'{'}
	add := func(name string, raw []byte) {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(value.AppendString(text, name), ':'), raw...)
	}
	merge := func(name string, old, change document.Value) {
		switch change.Type() {
		case document.TypeNull:
		case document.TypeObject:
			add(name, patch(old, change))
		default:
			add(name, change.Raw())
		}
	}
	if target.Type() == document.TypeObject {
		for name, old := range target.Members() {
			if change, ok := p.Member(name); ok {
				merge(name, old, change)
			} else {
				add(name, old.Raw())
			}
		}
	}
	for name, change := range p.Members() {
		if _, done := target.Member(name); !done || target.Type() != document.TypeObject {
			merge(name, document.Value{}, change)
		}
	}
	return append(text, '}')
}

func jsonMergePreserve(c *jsonCall) (interface{}, error) {
	if c.anyNull(len(c.args)) {
		return nil, nil
	}
	var merged document.Value
	for i := range c.args {
		v, err := c.document(i)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			merged = v
			continue
		}
		merged = document.FromCompact(mergePreserve(merged, v))
	}
	return value.OwnJSON(merged.Raw())
}

func mergePreserve(a, b document.Value) []byte {
	if a.Type() == document.TypeObject && b.Type() == document.TypeObject {
		text := []byte{'{'}
		add := func(name string, raw []byte) {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(value.AppendString(text, name), ':'), raw...)
		}
		for name, x := range a.Members() {
			if y, ok := b.Member(name); ok {
				add(name, mergePreserve(x, y))
			} else {
				add(name, x.Raw())
			}
		}
		for name, y := range b.Members() {
			if _, done := a.Member(name); !done {
				add(name, y.Raw())
			}
		}
		return append(text, '}')
	}
	text := []byte{'['}
	for _, v := range []document.Value{a, b} {
		raw := v.Raw()
		if v.Type() == document.TypeArray {
			raw = raw[1 : len(raw)-1]
		}
		if len(raw) == 0 {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(text, raw...)
	}
	return append(text, ']')
}
