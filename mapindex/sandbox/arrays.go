package sandbox

import (
	"slices"
	"strconv"

	"github.com/dop251/goja"
)

// elements reads an array or the like once; where there is no element stands nil.
func (c *box) elements(o *goja.Object) []goja.Value {
	var out []goja.Value
	for i := range c.slots(o) {
		c.goOn()
		out = append(out, o.Get(strconv.FormatInt(i, 10)))
	}
	return out
}

// array is an array of elements.
func (c *box) array(elements []goja.Value) *goja.Object {
	out := make([]any, len(elements))
	for i, v := range elements {
		if out[i] = v; v == nil {
			out[i] = goja.Undefined()
		}
	}
	o := c.runtime.NewArray(out...)
	for i, v := range elements {
		if v == nil {
			_ = o.Delete(strconv.Itoa(i))
		}
	}
	return o
}

// sorted are elements in the order of their texts, each of which is made once; elements
// without a value are last.
func (c *box) sorted(elements []goja.Value) []goja.Value {
	type element struct {
		value goja.Value
		text  goja.String
	}
	var all []element
	var without []goja.Value
	total := 0.0
	for _, v := range elements {
		if v != nil && goja.IsUndefined(v) {
			without = append(without, v)
		} else if v != nil {
			e := element{v, c.string(v)}
			total += length(e.text)
			c.tooLong(total > maxText)
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b element) int {
		c.goOn()
		return a.text.CompareTo(b.text)
	})
	out := make([]goja.Value, 0, len(elements))
	for _, e := range all {
		out = append(out, e.value)
	}
	return append(out, without...)
}

// join is Array's: each element becomes a text once.
func (c *box) join(a goja.FunctionCall) goja.Value {
	c.goOn()
	o := a.This.ToObject(c.runtime)
	if slices.Contains(c.joins, o) {
		return c.runtime.ToValue("")
	}
	if c.joins = append(c.joins, o); len(c.joins) > deepest {
		panic(c.runtime.NewTypeError("arrays are deeper than %d", deepest))
	}
	defer func() { c.joins = c.joins[:len(c.joins)-1] }()
	n := c.slots(o)
	separator := c.runtime.ToValue(",").(goja.String)
	if v := a.Argument(0); !goja.IsUndefined(v) {
		separator = c.string(v)
	}
	c.tooLong(length(separator)*float64(n-1) > maxText)
	var out goja.StringBuilder
	total := 0.0
	for i := range n {
		c.goOn()
		if i > 0 {
			out.WriteString(separator)
			total += length(separator)
		}
		if v := o.Get(strconv.FormatInt(i, 10)); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
			s := c.string(v)
			total += length(s)
			c.tooLong(total > maxText)
			out.WriteString(s)
		}
	}
	return out.String()
}

// concat is Array's: each array is gone through once.
func (c *box) concat(a goja.FunctionCall) goja.Value {
	c.goOn()
	var all []goja.Value
	for _, v := range append([]goja.Value{a.This.ToObject(c.runtime)}, a.Arguments...) {
		o, ok := v.(*goja.Object)
		if ok {
			spread := o.GetSymbol(goja.SymIsConcatSpreadable)
			if ok = o.ClassName() == "Array"; spread != nil && !goja.IsUndefined(spread) {
				ok = spread.ToBoolean()
			}
		}
		if !ok {
			all = append(all, v)
			continue
		}
		c.most(int64(len(all))+c.slots(o), maxSlots)
		all = append(all, c.elements(o)...)
	}
	return c.array(all)
}

func (c *box) limitArrays(set setter) {
	rt := c.runtime
	proto := rt.GlobalObject().Get("Array").ToObject(rt).Get("prototype").ToObject(rt)
	within := func(a *goja.FunctionCall) {
		o := a.This.ToObject(rt)
		a.This = o
		c.slots(o)
	}
	// Elements that are sorted without a function are compared as texts.
	for _, name := range []string{"sort", "toSorted"} {
		own, ok := goja.AssertFunction(proto.Get(name))
		if !ok {
			continue
		}
		by := c.checked(own, within)
		set(proto, name, func(a goja.FunctionCall) goja.Value {
			if !goja.IsUndefined(a.Argument(0)) {
				return by(a)
			}
			o := a.This.ToObject(rt)
			elements := c.elements(o)
			sorted := c.sorted(elements)
			if name == "toSorted" {
				for len(sorted) < len(elements) {
					sorted = append(sorted, goja.Undefined())
				}
				return c.array(sorted)
			}
			for i, v := range sorted {
				if err := o.Set(strconv.Itoa(i), v); err != nil {
					panic(err)
				}
			}
			for i := len(sorted); i < len(elements); i++ {
				if err := o.Delete(strconv.Itoa(i)); err != nil {
					panic(err)
				}
			}
			return o
		})
	}
	for _, name := range []string{"indexOf", "lastIndexOf", "includes"} {
		c.wrap(set, proto, name, func(a *goja.FunctionCall) {
			within(a)
			c.steps(float64(c.slots(a.This.ToObject(rt))) * length(a.Argument(0)))
		})
	}
	set(proto, "concat", c.concat)
	for _, name := range []string{
		"fill", "reverse", "toReversed",
		"copyWithin", "unshift", "splice", "slice", "forEach", "map", "filter", "some",
		"every", "reduce", "reduceRight", "find", "findIndex", "findLast", "findLastIndex",
		"shift", "toSpliced", "with", "keys", "entries",
	} {
		c.wrap(set, proto, name, within)
	}
	// A spread of an array calls values, and then next for each element.
	c.wrap(set, proto, "values", func(a *goja.FunctionCall) {
		within(a)
		c.most(c.slots(a.This.ToObject(rt)), maxSpread)
	})
	if each, err := rt.RunString("Object.getPrototypeOf([].values())"); err == nil {
		c.wrap(set, each.ToObject(rt), "next", func(*goja.FunctionCall) {})
	}
	set(proto, "join", c.join)
	// A spread of an array uses the iterator, which is this function.
	values := proto.Get("values")
	_ = proto.DefineDataPropertySymbol(goja.SymIterator, values, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = proto.Delete("toLocaleString") // the function of all objects, which takes its place, calls join
	_ = rt.GlobalObject().Get("String").ToObject(rt).Delete("raw")
	listed := func(at int) func(a *goja.FunctionCall) {
		return func(a *goja.FunctionCall) {
			if o, ok := a.Argument(at).(*goja.Object); ok {
				c.most(c.slots(o), maxSpread)
			}
		}
	}
	functions := rt.ToValue(c.emit).ToObject(rt).Prototype()
	c.wrap(set, functions, "apply", listed(1))
	reflect := rt.GlobalObject().Get("Reflect").ToObject(rt)
	c.wrap(set, reflect, "apply", listed(2))
	c.wrap(set, reflect, "construct", listed(1))
	array := rt.GlobalObject().Get("Array").ToObject(rt)
	c.wrap(set, array, "from", func(a *goja.FunctionCall) {
		if o, ok := a.Argument(0).(*goja.Object); ok {
			c.slots(o)
		}
	})
}
