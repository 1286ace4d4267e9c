package sandbox

import (
	"strings"

	"github.com/dop251/goja"
)

// What runs within the runtime and can't be interrupted, or takes memory at once, gets limits of its own, so that no
// function makes the process stand still or die.

// mostText is how long a text is that one operation makes, in characters; mostPattern a regular expression.
const (
	mostText    = 32 << 20
	mostLong    = 4 << 20 // characters of a text that is read as JSON, or becomes another one character by character
	mostSteps   = 1 << 31 // comparisons of characters
	mostPattern = 4_000
	mostSlots   = 4 << 20 // elements of an array that are gone through at once
	mostSpread  = 500_000 // elements that become arguments; the time for that grows with their square
)

// gone are the names that would be ways around the limits: memory that is taken at once, code made of text, what ends
// when the collector runs, what goes on behind the call.
var gone = []string{"eval", "Proxy", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Atomics", "WeakRef",
	"FinalizationRegistry", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "BigInt", "Promise", "require",
	"console"}

// utcDates makes all of Date that asks for the machine's time zone ask for UTC. A text without a zone is in UTC, too.
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

// constructors refuses those of functions from texts.
var constructors = goja.MustCompile("constructors", `(function () {
	function refuse() { throw new TypeError('functions are not made of texts here'); }
	[function () {}, function* () {}, async function () {}].forEach(function (f) {
		Object.defineProperty(Object.getPrototypeOf(f), 'constructor', {value: refuse, writable: false, configurable: false});
	});
	return refuse;
})()`, false)

// flat is Array's, as a function of the language, which can be interrupted: an array may stand in others many times.
var flat = goja.MustCompile("flat", `(function () {
	var is = Array.isArray;
	Object.defineProperty(Array.prototype, 'flat', {writable: true, configurable: true, value: function (depth) {
		var out = [];
		(function add(of, depth) {
			for (var i = 0; i < of.length; i++) {
				if (!(i in of)) continue;
				if (depth > 0 && is(of[i])) add(of[i], depth - 1); else out.push(of[i]);
			}
		})(Object(this), depth === undefined ? 1 : Math.floor(depth) || 0);
		return out;
	}});
})()`, false)

// furnish puts CouchDB's functions into the runtime, takes away what is not for functions, and sets limits.
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

// slots is the length of what is gone through as an array.
func (c *box) slots(o *goja.Object) int64 {
	length := o.Get("length")
	if length == nil {
		return 0
	}
	n := length.ToInteger()
	c.most(n, mostSlots)
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
	c.longer(a.Argument(0), mostLong)
	text := a.Argument(0).String()
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

// wrap puts a check before a function of the runtime.
func (c *box) wrap(set setter, o *goja.Object, name string, check func(a goja.FunctionCall)) {
	own, ok := goja.AssertFunction(o.Get(name))
	if !ok {
		return
	}
	set(o, name, func(a goja.FunctionCall) goja.Value {
		c.goOn()
		check(a)
		v, err := own(a.This, a.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	})
}

func (c *box) tooLong(is bool) {
	if is {
		panic(c.runtime.NewTypeError("a text of more than %d characters", mostText))
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
	if n > mostSteps {
		panic(c.runtime.NewTypeError("a search that takes more than %d steps", int64(mostSteps)))
	}
}

func length(v goja.Value) float64 {
	if s, ok := v.(goja.String); ok {
		return float64(s.Length())
	}
	return 16 // of what becomes a text
}

func (c *box) limitTexts(set setter) {
	rt := c.runtime
	proto := rt.GlobalObject().Get("String").ToObject(rt).Get("prototype").ToObject(rt)
	c.wrap(set, proto, "repeat", func(a goja.FunctionCall) {
		c.tooLong(length(a.This)*a.Argument(0).ToFloat() > mostText)
	})
	c.wrap(set, proto, "concat", func(a goja.FunctionCall) {
		total := length(a.This)
		for _, v := range a.Arguments {
			total += length(v)
		}
		c.tooLong(total > mostText)
	})
	for _, name := range []string{"toUpperCase", "toLowerCase", "toLocaleUpperCase", "toLocaleLowerCase", "normalize",
		"localeCompare"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) {
			c.longer(a.This, mostLong)
			c.longer(a.Argument(0), mostLong)
		})
	}
	for _, name := range []string{"encodeURI", "encodeURIComponent", "decodeURI", "decodeURIComponent", "escape",
		"unescape"} {
		c.wrap(set, rt.GlobalObject(), name, func(a goja.FunctionCall) { c.longer(a.Argument(0), mostLong) })
	}
	for _, name := range []string{"indexOf", "lastIndexOf", "includes"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) { c.steps(length(a.This) * length(a.Argument(0))) })
	}
	for _, name := range []string{"padStart", "padEnd"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) { c.tooLong(a.Argument(0).ToFloat() > mostText) })
	}
	for _, name := range []string{"replace", "replaceAll"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) {
			c.pattern(a.Argument(0))
			c.steps(length(a.This) * length(a.Argument(0)))
			with := length(a.Argument(1))
			if s, ok := a.Argument(1).(goja.String); ok {
				// $& and its like stand for as much as the whole text.
				with += float64(strings.Count(s.String(), "$")) * length(a.This)
			}
			c.tooLong((length(a.This)+1)*with > mostText && length(a.This) > 1)
		})
	}
	for _, name := range []string{"match", "matchAll", "search", "split"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) {
			if name != "split" {
				c.pattern(a.Argument(0))
			}
			c.steps(length(a.This) * length(a.Argument(0)))
			c.tooLong(length(a.This) > mostSlots)
		})
	}
	own := rt.GlobalObject().Get("RegExp")
	constructor := rt.ToValue(func(a goja.ConstructorCall) *goja.Object {
		c.pattern(goja.FunctionCall{Arguments: a.Arguments}.Argument(0))
		o, err := rt.New(own, a.Arguments...)
		if err != nil {
			panic(err)
		}
		return o
	}).ToObject(rt)
	regexps := own.ToObject(rt).Get("prototype").ToObject(rt)
	_ = constructor.DefineDataProperty("prototype", regexps, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	_ = regexps.DefineDataProperty("constructor", constructor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = regexps.Delete("compile")
	c.wrap(set, regexps, "exec", func(goja.FunctionCall) {}) // it is called for each match
	_ = rt.GlobalObject().Set("RegExp", constructor)
}

// pattern refuses the text of a regular expression that is too long to be read.
func (c *box) pattern(v goja.Value) {
	if s, ok := v.(goja.String); ok && s.Length() > mostPattern {
		panic(c.runtime.NewTypeError("a regular expression of more than %d characters", mostPattern))
	}
}

func (c *box) limitArrays(set setter) {
	rt := c.runtime
	proto := rt.GlobalObject().Get("Array").ToObject(rt).Get("prototype").ToObject(rt)
	within := func(a goja.FunctionCall) *goja.Object {
		o := a.This.ToObject(rt)
		c.slots(o)
		return o
	}
	// What is sorted without a function, or searched, is compared as texts.
	for _, name := range []string{"sort", "toSorted"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) {
			o := within(a)
			if !goja.IsUndefined(a.Argument(0)) {
				return
			}
			total := 0.0
			for i := range c.slots(o) {
				if v := o.Get(rt.ToValue(i).String()); v != nil {
					total += length(v)
				}
				c.tooLong(total > mostText)
			}
		})
	}
	for _, name := range []string{"indexOf", "lastIndexOf", "includes"} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) {
			c.steps(float64(c.slots(a.This.ToObject(rt))) * length(a.Argument(0)))
		})
	}
	c.wrap(set, proto, "concat", func(a goja.FunctionCall) {
		total := c.slots(within(a))
		for _, v := range a.Arguments {
			if o, ok := v.(*goja.Object); ok {
				total += c.slots(o)
			}
		}
		c.most(total, mostSlots)
	})
	for _, name := range []string{
		"fill", "reverse", "toReversed",
		"copyWithin", "unshift", "splice", "slice", "forEach", "map", "filter", "some",
		"every", "reduce", "reduceRight", "find", "findIndex", "findLast", "findLastIndex", "flatMap",
		"shift", "toSpliced", "with", "keys", "entries",
	} {
		c.wrap(set, proto, name, func(a goja.FunctionCall) { within(a) })
	}
	// What spreads an array asks for values.
	c.wrap(set, proto, "values", func(a goja.FunctionCall) { c.most(c.slots(a.This.ToObject(rt)), mostSpread) })
	own, _ := goja.AssertFunction(proto.Get("join"))
	set(proto, "join", func(a goja.FunctionCall) goja.Value {
		c.goOn()
		o := within(a)
		if c.joins++; c.joins > deepest {
			panic(rt.NewTypeError("arrays are deeper than %d", deepest))
		}
		defer func() { c.joins-- }()
		separator, total := length(a.Argument(0)), 0.0
		for i := range c.slots(o) {
			total += separator
			if v := o.Get(rt.ToValue(i).String()); v != nil {
				total += length(v)
			}
			c.tooLong(total > mostText)
		}
		v, err := own(a.This, a.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	})
	// What takes an array apart asks for this one.
	values := proto.Get("values")
	_ = proto.DefineDataPropertySymbol(goja.SymIterator, values, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = proto.Delete("toLocaleString") // that of all objects asks join
	_ = rt.GlobalObject().Get("String").ToObject(rt).Delete("raw")
	listed := func(at int) func(a goja.FunctionCall) {
		return func(a goja.FunctionCall) {
			if o, ok := a.Argument(at).(*goja.Object); ok {
				c.most(c.slots(o), mostSpread)
			}
		}
	}
	functions := rt.ToValue(c.emit).ToObject(rt).Prototype()
	c.wrap(set, functions, "apply", listed(1))
	reflect := rt.GlobalObject().Get("Reflect").ToObject(rt)
	c.wrap(set, reflect, "apply", listed(2))
	c.wrap(set, reflect, "construct", listed(1))
	array := rt.GlobalObject().Get("Array").ToObject(rt)
	c.wrap(set, array, "from", func(a goja.FunctionCall) {
		if o, ok := a.Argument(0).(*goja.Object); ok {
			c.slots(o)
		}
	})
}
