package sandbox

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// Code of the runtime that can't be interrupted, or allocates memory at once, gets limits of its own, so that no
// function makes the process stand still or die.

// maxText is how long a text is that one operation makes, in characters; maxPattern a regular expression.
const (
	maxText    = 32 << 20
	maxLong    = 4 << 20 // characters of a text that is read as JSON, or becomes another one character by character
	maxSteps   = 1 << 31 // comparisons of characters
	maxPattern = 4_000
	maxSlots   = 4 << 20 // elements of an array that are gone through at once
	maxSpread  = 500_000 // elements that become arguments; the time for that grows with their square
)

// gone are the names that would be ways around the limits. They give memory that is allocated at once, code made of
// text, values that depend on the garbage collector, and code that runs after the call.
var gone = []string{"eval", "Proxy", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Atomics", "WeakRef",
	"FinalizationRegistry", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "BigInt", "Promise", "require",
	"console"}

// utcDates makes all functions of Date that use the machine's time zone use UTC. A text without a zone is in UTC,
// too.
var utcDates = goja.MustCompile("dates", `(function () {
	var Own = Date, proto = Own.prototype, parse = Own.parse, utc = Own.UTC;
	['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'].forEach(function (part) {
		proto['get' + part] = proto['getUTC' + part];
		if (proto['setUTC' + part]) proto['set' + part] = proto['setUTC' + part];
	});
	['toLocaleString', 'toString'].forEach(function (name) { proto[name] = proto.toUTCString; });
	['toDateString', 'toLocaleDateString'].forEach(function (name) {
		proto[name] = function () { return this.toISOString().slice(0, 10); };
	});
	['toTimeString', 'toLocaleTimeString'].forEach(function (name) {
		proto[name] = function () { return this.toISOString().slice(11, 19); };
	});
	proto.getTimezoneOffset = function () { return 0; };
	function instant(text) {
		text = String(text);
		if (/[T ]\d\d?:\d\d(:\d\d(\.\d+)?)?\s*$/.test(text) && !/T/.test(text)) {
			var zoned = parse(text + ' GMT');
			if (zoned === zoned) return zoned;
		} else if (/\dT[\d:.]+$/.test(text)) {
			return parse(text + 'Z');
		} else if (!/:/.test(text) && !/^[+-]?\d+(-\d\d(-\d\d)?)?$/.test(text) && !/(GMT|UTC|Z)/.test(text)) {
			var day = parse(text + ' 00:00 GMT');
			if (day === day) return day;
		}
		return parse(text);
	}
	function Day() {
		var n = arguments.length, a = arguments, t;
		if (!new.target) return new Own().toUTCString();
		if (n === 0) t = new Own();
		else if (n > 1) t = new Own(utc.apply(Own, a));
		else {
			var v = a[0] instanceof Own ? a[0].getTime() : a[0];
			if (v !== null && typeof v === 'object') v = v.valueOf() === v ? v.toString() : v.valueOf();
			t = new Own(typeof v === 'string' ? instant(v) : v);
		}
		return Object.setPrototypeOf(t, new.target.prototype);
	}
	Day.prototype = proto;
	proto.constructor = Day;
	Day.UTC = utc;
	Day.now = Own.now;
	Day.parse = instant;
	Date = Day;
})()`, false)

// constructors makes the constructors of functions from texts fail.
var constructors = goja.MustCompile("constructors", `(function () {
	function refuse() { throw new TypeError('functions are not made of texts here'); }
	[function () {}, function* () {}, async function () {}].forEach(function (f) {
		Object.defineProperty(Object.getPrototypeOf(f), 'constructor', {value: refuse, writable: false, configurable: false});
	});
	return refuse;
})()`, false)

// flat has functions of Array as functions of the language, which can be interrupted: an array may stand in others many
// times, or be long without elements.
var flat = goja.MustCompile("flat", `(function () {
	var is = Array.isArray, call = Reflect.apply;
	function add(out, of, depth) {
		for (var i = 0; i < of.length; i++) {
			if (!(i in of)) continue;
			if (depth > 0 && is(of[i])) add(out, of[i], depth - 1); else out.push(of[i]);
		}
		return out;
	}
	function own(name, f) { Object.defineProperty(Array.prototype, name, {writable: true, configurable: true, value: f}); }
	own('flat', function (depth) { return add([], Object(this), depth === undefined ? 1 : Math.floor(depth) || 0); });
	own('flatMap', function (f, self) {
		var out = [], of = Object(this);
		for (var i = 0; i < of.length; i++) {
			if (i in of) add(out, [call(f, self, [of[i], i, of])], 1);
		}
		return out;
	});
})()`, false)

// looks has functions that look at properties without calling a getter. lengthOf is the length of an object,
// undefined for none, null for one that is a getter's. ownExec is whether a regular expression has a function exec of
// the caller's.
var looks = goja.MustCompile("looks", `(function (describe, protoOf, regexps) {
	return {
		lengthOf: function (o) {
			for (; o !== null; o = protoOf(o)) {
				var d = describe(o, 'length');
				if (d) return typeof d.value === 'number' ? d.value : null;
			}
		},
		ownExec: function (o) {
			for (; o !== regexps; o = protoOf(o)) if (o === null || describe(o, 'exec')) return true;
			return false;
		},
	};
})(Object.getOwnPropertyDescriptor, Object.getPrototypeOf, RegExp.prototype)`, false)

// furnish puts CouchDB's functions into the runtime, removes the names that functions must not use, and sets limits.
func (c *box) furnish() error {
	rt := c.runtime
	global := rt.GlobalObject()
	refuse, err := rt.RunProgram(constructors)
	if err != nil {
		return err
	}
	for _, program := range []*goja.Program{utcDates, flat} {
		if _, err := rt.RunProgram(program); err != nil {
			return err
		}
	}
	for _, name := range gone {
		if err := global.Delete(name); err != nil {
			return err
		}
	}
	look, err := rt.RunProgram(looks)
	if err != nil {
		return err
	}
	c.lengthOf, _ = goja.AssertFunction(look.ToObject(rt).Get("lengthOf"))
	c.ownExec, _ = goja.AssertFunction(look.ToObject(rt).Get("ownExec"))
	set := func(o *goja.Object, name string, f func(goja.FunctionCall) goja.Value) {
		if err == nil {
			err = o.DefineDataProperty(name, rt.ToValue(f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		}
	}
	if err := global.Set("Function", refuse); err != nil {
		return err
	}
	set(global, "emit", c.emit)
	set(global, "log", func(goja.FunctionCall) goja.Value { return goja.Undefined() })
	set(global, "isArray", func(a goja.FunctionCall) goja.Value {
		o, ok := a.Argument(0).(*goja.Object)
		return rt.ToValue(ok && o.ClassName() == "Array")
	})
	set(global, "sum", c.sum)
	toJSON := func(a goja.FunctionCall) goja.Value { return rt.ToValue(string(c.text(a.Argument(0)))) }
	set(global, "toJSON", toJSON)
	json := global.Get("JSON").ToObject(rt)
	c.parse, _ = goja.AssertFunction(json.Get("parse"))
	set(json, "parse", c.parseJSON)
	set(json, "stringify", func(a goja.FunctionCall) goja.Value {
		b, ok := c.appendJSON(nil, a.Argument(0), "", 0)
		if !ok {
			return goja.Undefined()
		}
		return rt.ToValue(string(b))
	})
	c.limitTexts(set)
	c.limitArrays(set)
	if err != nil {
		return err
	}
	return c.harden()
}

// sum is CouchDB's: of the numbers in an array.
func (c *box) sum(a goja.FunctionCall) goja.Value {
	o, ok := a.Argument(0).(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		panic(c.runtime.NewTypeError("sum takes an array of numbers"))
	}
	total := 0.0
	for i := range c.slots(o) {
		v := o.Get(c.runtime.ToValue(i).String())
		if v == nil {
			continue
		}
		total += v.ToFloat()
	}
	return c.runtime.ToValue(total)
}

// slots is the length of an object that is gone through as an array. The runtime reads it a second time, so a getter
// is refused.
func (c *box) slots(o *goja.Object) int64 {
	length := o.Get("length")
	if o.ClassName() != "Array" {
		v, err := c.lengthOf(goja.Undefined(), o)
		if err != nil {
			panic(err)
		}
		if length = v; goja.IsNull(v) {
			panic(c.runtime.NewTypeError("the length of what is no array is a number, and has no getter"))
		}
	}
	n := length.ToInteger()
	c.most(n, maxSlots)
	return n
}

func (c *box) most(n, most int64) {
	if n > most {
		panic(c.runtime.NewTypeError("an array of more than %d elements", most))
	}
}

// parseJSON is JSON.parse of texts that are not too deep.
func (c *box) parseJSON(a goja.FunctionCall) goja.Value {
	depth, quoted := 0, false
	v := text(a.Argument(0))
	c.longer(v, maxLong)
	text := v.String()
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			if depth++; depth > deepest {
				panic(c.runtime.NewTypeError("a JSON text is deeper than %d arrays and objects", deepest))
			}
		case b == ']' || b == '}':
			depth--
		}
	}
	args := append([]goja.Value{c.runtime.ToValue(text)}, a.Arguments[min(1, len(a.Arguments)):]...)
	v, err := c.parse(goja.Undefined(), args...)
	if err != nil {
		panic(err)
	}
	return v
}

type setter func(o *goja.Object, name string, f func(goja.FunctionCall) goja.Value)

// wrap puts a check before a function of the runtime. If the function would read an argument's text or number again,
// the check replaces the argument by the value that it has read.
func (c *box) wrap(set setter, o *goja.Object, name string, check func(a *goja.FunctionCall)) {
	if own, ok := goja.AssertFunction(o.Get(name)); ok {
		set(o, name, c.checked(own, check))
	}
}

func (c *box) checked(own goja.Callable, check func(a *goja.FunctionCall)) func(goja.FunctionCall) goja.Value {
	return func(a goja.FunctionCall) goja.Value {
		c.goOn()
		a.Arguments = slices.Clone(a.Arguments)
		check(&a)
		v, err := own(a.This, a.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	}
}

// text is an object converted to a text; other values are returned as they are.
func text(v goja.Value) goja.Value {
	if o, ok := v.(*goja.Object); ok {
		return o.ToString()
	}
	return v
}

// string is a value converted to a text.
func (c *box) string(v goja.Value) goja.String {
	switch v := text(v).(type) {
	case goja.String:
		return v
	case *goja.Symbol:
		panic(c.runtime.NewTypeError("a symbol is no text"))
	default:
		return c.runtime.ToValue(v.String()).(goja.String)
	}
}

// number is a value as a number; nothing is itself.
func number(v goja.Value) goja.Value {
	if goja.IsUndefined(v) {
		return v
	}
	return v.ToNumber()
}

// pattern is a regular expression, or a text.
func pattern(v goja.Value) goja.Value {
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "RegExp" {
		return v
	}
	return text(v)
}

// replacement is a function, or a text.
func replacement(v goja.Value) goja.Value {
	if _, ok := goja.AssertFunction(v); ok {
		return v
	}
	return text(v)
}

// become converts arguments as the runtime would; it returns the first.
func become(a *goja.FunctionCall, as ...func(goja.Value) goja.Value) goja.Value {
	for i, f := range as {
		if i < len(a.Arguments) {
			a.Arguments[i] = f(a.Arguments[i])
		}
	}
	return a.Argument(0)
}

func (c *box) tooLong(is bool) {
	if is {
		panic(c.runtime.NewTypeError("a text of more than %d characters", maxText))
	}
}

// longer refuses a text that is longer than so many characters.
func (c *box) longer(v goja.Value, most float64) {
	c.goOn()
	if length(v) > most {
		panic(c.runtime.NewTypeError("a text of more than %d characters", int64(most)))
	}
}

// steps refuses a search that compares too much.
func (c *box) steps(n float64) {
	if n > maxSteps {
		panic(c.runtime.NewTypeError("a search that takes more than %d steps", int64(maxSteps)))
	}
}

func length(v goja.Value) float64 {
	if s, ok := v.(goja.String); ok {
		return float64(s.Length())
	}
	return 16 // of a number or the like
}

func (c *box) limitTexts(set setter) {
	rt := c.runtime
	proto := rt.GlobalObject().Get("String").ToObject(rt).Get("prototype").ToObject(rt)
	// limit is wrap with the text that the function is called of.
	limit := func(name string, check func(a *goja.FunctionCall)) {
		c.wrap(set, proto, name, func(a *goja.FunctionCall) {
			a.This = text(a.This)
			check(a)
		})
	}
	limit("repeat", func(a *goja.FunctionCall) {
		c.tooLong(length(a.This)*become(a, number).ToFloat() > maxText)
	})
	limit("concat", func(a *goja.FunctionCall) {
		total := length(a.This)
		for i, v := range a.Arguments {
			a.Arguments[i] = text(v)
			total += length(a.Arguments[i])
			c.tooLong(total > maxText)
		}
	})
	for _, name := range []string{"toUpperCase", "toLowerCase", "toLocaleUpperCase", "toLocaleLowerCase", "normalize",
		"localeCompare"} {
		limit(name, func(a *goja.FunctionCall) {
			c.longer(a.This, maxLong)
			c.longer(become(a, text), maxLong)
		})
	}
	for _, name := range []string{"encodeURI", "encodeURIComponent", "decodeURI", "decodeURIComponent", "escape",
		"unescape"} {
		c.wrap(set, rt.GlobalObject(), name, func(a *goja.FunctionCall) { c.longer(become(a, text), maxLong) })
	}
	for _, name := range []string{"indexOf", "lastIndexOf"} {
		limit(name, func(a *goja.FunctionCall) { c.steps(length(a.This) * length(become(a, text))) })
	}
	limit("includes", func(a *goja.FunctionCall) {
		if o, ok := become(a, pattern).(*goja.Object); ok {
			panic(rt.NewTypeError("a regular expression is no text to look for: %s", o.ClassName()))
		}
		c.steps(length(a.This) * length(a.Argument(0)))
	})
	for _, name := range []string{"padStart", "padEnd"} {
		limit(name, func(a *goja.FunctionCall) { c.tooLong(become(a, number, text).ToFloat() > maxText) })
	}
	replaced := func(in, what, by goja.Value) {
		c.pattern(what)
		c.steps(length(in) * length(what))
		with := length(by)
		if s, ok := by.(goja.String); ok {
			// $& and its like stand for as much as the whole text.
			with += float64(strings.Count(s.String(), "$")) * length(in)
		}
		c.tooLong((length(in)+1)*with > maxText && length(in) > 1)
	}
	for _, name := range []string{"replace", "replaceAll"} {
		limit(name, func(a *goja.FunctionCall) {
			become(a, pattern, replacement)
			replaced(a.This, a.Argument(0), a.Argument(1))
		})
	}
	for _, name := range []string{"match", "matchAll", "search", "split"} {
		limit(name, func(a *goja.FunctionCall) {
			if become(a, pattern, number); name != "split" {
				c.pattern(a.Argument(0))
			}
			c.steps(length(a.This) * length(a.Argument(0)))
			c.tooLong(length(a.This) > maxSlots)
		})
	}
	own := rt.GlobalObject().Get("RegExp")
	constructor := rt.ToValue(func(a goja.ConstructorCall) *goja.Object {
		of := goja.FunctionCall{Arguments: slices.Clone(a.Arguments)}
		c.pattern(become(&of, pattern, text))
		o, err := rt.New(own, of.Arguments...)
		if err != nil {
			panic(err)
		}
		return o
	}).ToObject(rt)
	regexps := own.ToObject(rt).Get("prototype").ToObject(rt)
	_ = constructor.DefineDataProperty("prototype", regexps, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	_ = regexps.DefineDataProperty("constructor", constructor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = regexps.Delete("compile")
	// It is called for each match.
	c.wrap(set, regexps, "exec", func(a *goja.FunctionCall) { c.longer(become(a, text), maxText) })
	for _, of := range []*goja.Symbol{goja.SymReplace, goja.SymMatch, goja.SymMatchAll, goja.SymSearch, goja.SymSplit} {
		own, ok := goja.AssertFunction(regexps.GetSymbol(of))
		if !ok {
			continue
		}
		_ = regexps.DefineDataPropertySymbol(of, rt.ToValue(c.checked(own, func(a *goja.FunctionCall) {
			// An exec of the caller's may return an array of any length.
			if is, err := c.ownExec(goja.Undefined(), a.This.ToObject(rt)); err != nil || is.ToBoolean() {
				panic(rt.NewTypeError("a regular expression has no exec of its own here"))
			}
			if of == goja.SymReplace {
				become(a, text, replacement)
				replaced(a.Argument(0), a.This, a.Argument(1))
				return
			}
			c.longer(become(a, text, number), maxSlots)
		})), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	_ = rt.GlobalObject().Set("RegExp", constructor)
}

// pattern refuses the text of a regular expression that is too long to be read.
func (c *box) pattern(v goja.Value) {
	if s, ok := v.(goja.String); ok && s.Length() > maxPattern {
		panic(c.runtime.NewTypeError("a regular expression of more than %d characters", maxPattern))
	}
}
