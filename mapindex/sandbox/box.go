package sandbox

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// box is a runtime with the results of one call. Calls are made in it one after the other; the text of a function is
// evaluated again for each.
//
// The next call sees nothing of a call. All objects of the runtime are frozen except the global one, and that one is
// restored, or else the box is thrown away. A box in which a call has failed is thrown away too.
type box struct {
	runtime *goja.Runtime
	parse   goja.Callable
	global  []globalName
	known   map[string]bool
	proto   *goja.Object // of the global object
	plain   goja.Callable

	lengthOf, ownExec goja.Callable // see looks

	rows  []Row
	keys  int            // bytes
	bytes int            // of keys and values
	fatal error          // which the function may have caught
	joins []*goja.Object // that become texts within each other
	over  atomic.Bool
}

// interrupt ends the call that runs, because of why. It may be called while another goroutine is in the runtime.
func (c *box) interrupt(why error) {
	c.over.Store(true)
	c.runtime.Interrupt(why)
}

// goOn ends work that the runtime can't interrupt by itself, once the call is over.
func (c *box) goOn() {
	if c.over.Load() {
		panic(c.runtime.NewTypeError("the call is over"))
	}
}

// globalName is a name in the global object, with its first value.
type globalName struct {
	name  string
	value goja.Value
}

// boxes are the unused boxes. To make one takes as long as hundreds of calls.
var boxes = make(chan *box, 16)

func takeBox() (*box, error) {
	select {
	case b := <-boxes:
		return b, nil
	default:
	}
	b := &box{runtime: goja.New()}
	rt := b.runtime
	rt.SetMaxCallStackSize(maxCalls)
	rt.SetParserOptions(parser.WithDisableSourceMaps)
	rt.SetRandSource(func() float64 {
		panic(rt.NewTypeError("Math.random is not there: the same document emits the same rows"))
	})
	rt.SetTimeSource(func() time.Time {
		panic(rt.NewTypeError("there is no clock: the same document emits the same rows"))
	})
	return b, b.furnish()
}

// run calls a function with a document; without one it only looks whether there is a function.
func (c *box) run(program *goja.Program, document []byte) error {
	v, err := c.runtime.RunProgram(program)
	if err != nil {
		return err
	}
	f, ok := goja.AssertFunction(v)
	if !ok {
		return errors.New("the text makes no function")
	}
	if document == nil {
		return nil
	}
	doc, err := c.parse(goja.Undefined(), c.runtime.ToValue(string(document)))
	if err != nil {
		return err
	}
	_, err = f(goja.Undefined(), doc)
	return err
}

// giveBack makes the box as it was, and keeps it if it is.
func (c *box) giveBack() {
	c.rows, c.keys, c.bytes, c.fatal, c.joins = nil, 0, 0, nil, nil
	global := c.runtime.GlobalObject()
	if plain, err := c.plain(goja.Undefined(), global); err != nil || !plain.ToBoolean() ||
		global.Prototype() != c.proto {
		return
	}
	for _, name := range global.GetOwnPropertyNames() {
		if !c.known[name] && global.Delete(name) != nil {
			return
		}
	}
	for _, g := range c.global {
		if v := global.Get(g.name); v == nil || !v.SameAs(g.value) {
			if err := global.DefineDataProperty(g.name, g.value, goja.FLAG_TRUE, goja.FLAG_TRUE,
				goja.FLAG_FALSE); err != nil {
				return
			}
		}
	}
	select {
	case boxes <- c:
	default:
	}
}

// freeze freezes all that the global object leads to. Inherited properties can still be set at an object, as if its
// prototype were not frozen. For this a value of a prototype becomes a getter with a setter that sets the object's
// own property.
var freeze = goja.MustCompile("freeze", `(function (root) {
	var define = Object.defineProperty, describe = Object.getOwnPropertyDescriptor, names = Reflect.ownKeys;
	var protoOf = Object.getPrototypeOf, still = Object.freeze, seen = new Set(), all = [];
	function visit(v) {
		if (v === null || typeof v !== 'object' && typeof v !== 'function' || v === root || seen.has(v)) return;
		seen.add(v);
		all.push(v);
	}
	function visitAll(o) {
		visit(protoOf(o));
		names(o).forEach(function (name) {
			var d = describe(o, name);
			visit(d.value); visit(d.get); visit(d.set);
		});
	}
	visitAll(root);
	visit(protoOf(function* () {})); visit(protoOf(async function () {}));
	visit(protoOf([][Symbol.iterator]())); visit(protoOf(''[Symbol.iterator]()));
	visit(protoOf(new Map().entries())); visit(protoOf(new Set().values()));
	visit(protoOf(/a/[Symbol.matchAll]('a')));
	for (var i = 0; i < all.length; i++) visitAll(all[i]);
	[Object, Array, Function, Date, RegExp, Map, Set, WeakMap, WeakSet, Error, EvalError, RangeError,
		ReferenceError, SyntaxError, TypeError, URIError, Number, String, Boolean].forEach(function (maker) {
		var proto = maker.prototype;
		names(proto).forEach(function (name) {
			var d = describe(proto, name);
			if (!('value' in d) || !d.configurable || typeof name === 'symbol') return;
			var value = d.value;
			var get = function () { return value; };
			var set = function (v) {
				if (this === proto || this === null || typeof this !== 'object' && typeof this !== 'function') return;
				define(this, name, {value: v, writable: true, enumerable: true, configurable: true});
			};
			still(get); still(set);
			still(get.prototype); still(set.prototype);
			define(proto, name, {get: get, set: set, enumerable: d.enumerable, configurable: false});
		});
	});
	all.forEach(still);
})`, false)

// harden freezes the runtime, and notes the content of the global object.
func (c *box) harden() error {
	rt := c.runtime
	v, err := rt.RunProgram(freeze)
	if err != nil {
		return err
	}
	f, ok := goja.AssertFunction(v)
	if !ok {
		return errors.New("sandbox: no function freezes the runtime")
	}
	global := rt.GlobalObject()
	if _, err := f(goja.Undefined(), global); err != nil {
		return err
	}
	c.known, c.proto = map[string]bool{}, global.Prototype()
	for _, name := range global.GetOwnPropertyNames() {
		c.known[name] = true
		c.global = append(c.global, globalName{name, global.Get(name)})
	}
	if v, err = rt.RunProgram(plain); err == nil {
		c.plain, _ = goja.AssertFunction(v)
	}
	return err
}

// plain reports whether the global object can be restored: it has its own symbols alone, and accepts new names.
var plain = goja.MustCompile("plain", `(function (symbols, extensible) {
	var own = symbols(globalThis).length;
	return function (global) { return symbols(global).length === own && extensible(global); };
})(Object.getOwnPropertySymbols, Object.isExtensible)`, false)
