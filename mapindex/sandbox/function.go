package sandbox

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// The limits of one call of a function.
const (
	MaxSource = 16 << 10 // bytes of a function's text
	MaxRows   = 10_000   // rows of a document
	MaxKey    = 8 << 10  // bytes of an emitted key, as JSON
	MaxValue  = 64 << 10 // bytes of an emitted value, as JSON
	MaxKeys   = 64 << 10 // bytes of all keys of a document together
	MaxRow    = 4 << 20  // bytes of all rows of a document together

	longest   = time.Second            // running
	grace     = 500 * time.Millisecond // until a call is given up that can't be interrupted
	watchFrom = 2 * time.Millisecond   // of running, from when on the memory is looked at
	maxTick   = 10 * time.Millisecond  // counted of one look to the next: a machine that stands still runs nothing
	maxHeap   = 128 << 20              // bytes that the process may grow by while a function runs
	maxCalls  = 500                    // calls within each other
)

// ErrSyntax: a text that is no function.
var ErrSyntax = errors.New("not a JavaScript function")

// Failure is the failure of a function on a document. It concerns only these two, and is no reason to stop.
type Failure struct {
	Message string
	Line    int // of the function's text, from 1; 0 where it is not known
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s, line %d", f.Message, f.Line)
	}
	return f.Message
}

// Row is an emitted key and value, both compact JSON.
type Row struct{ Key, Value []byte }

// Function is the compiled text of one. It is immutable and safe for concurrent use.
type Function struct{ program *goja.Program }

// boundRegexps keeps a backtracking expression from running on when the call is over: its
// result would not be used any more.
var boundRegexps = sync.OnceFunc(func() { regexp2.DefaultMatchTimeout = longest + grace/2 })

// Compile compiles the text of a function of a document. It fails with ErrSyntax.
func Compile(source string) (*Function, error) {
	boundRegexps()
	if len(source) > MaxSource {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrSyntax, len(source), MaxSource)
	}
	text := "(" + strings.TrimRight(strings.TrimSpace(source), "; \t\r\n") + "\n)"
	tree, err := goja.Parse("function", text, parser.WithDisableSourceMaps)
	if err == nil && suspends(reflect.ValueOf(tree.Body)) {
		err = errors.New("generators and async functions are not there")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	f := &Function{program: program}
	// A text that makes no function is refused here, and not at each document.
	if _, err := f.attempt(nil); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, asFailure(err))
	}
	return f, nil
}

// suspends reports whether a syntax tree has a generator or an async function. Their calls within each other are not
// counted by the runtime, and would end the process by its stack.
func suspends(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return false
		}
		switch f := v.Interface().(type) {
		case *ast.FunctionLiteral:
			if f.Generator || f.Async {
				return true
			}
		case *ast.ArrowFunctionLiteral:
			if f.Async {
				return true
			}
		case *file.File, *ast.VariableDeclaration: // declarations are in the tree a second time
			return false
		}
		return suspends(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && suspends(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if suspends(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// alone is held while a function runs again that the memory of others may have stopped.
var alone sync.Mutex

// Run calls the function with a document, compact JSON, and returns the rows that it emits, in their order. It fails
// with a *Failure alone, and then there are no rows.
func (f *Function) Run(document []byte) ([]Row, error) {
	rows, err := f.attempt(document)
	if isMemory(err) {
		alone.Lock()
		defer alone.Unlock()
		rows, err = f.attempt(document)
	}
	if err != nil {
		return nil, asFailure(err)
	}
	return rows, nil
}

var (
	errTime   = errors.New("the function ran for longer than a second")
	errMemory = errors.New("the function took too much memory")
)

func isMemory(err error) bool {
	var interrupted *goja.InterruptedError
	return errors.As(err, &interrupted) && interrupted.Value() == any(errMemory)
}

// attempt is Run once; without a document the text alone is looked at.
func (f *Function) attempt(document []byte) ([]Row, error) {
	b, err := takeBox()
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				interrupted, ok := p.(*goja.InterruptedError)
				if ok {
					done <- interrupted
					return
				}
				done <- fmt.Errorf("the function could not be run: %v", p)
			}
		}()
		err := b.run(f.program, document)
		var thrown *goja.Exception
		if errors.As(err, &thrown) {
			// The thrown value may have getters: its text is a part of the call.
			err = &Failure{Message: thrownText(thrown), Line: lineOf(thrown.Stack())}
		}
		done <- err
	}()
	tick := time.NewTimer(watchFrom)
	defer tick.Stop()
	last, ran, heap := time.Now(), time.Duration(0), uint64(0)
	for {
		select {
		case err := <-done:
			if b.fatal != nil {
				err = fatal{b.fatal, err}
			}
			rows := b.rows
			if err == nil {
				b.giveBack()
			}
			return rows, err
		case <-tick.C:
		}
		now, at := heapBytes(), time.Now()
		ran, last = ran+min(at.Sub(last), maxTick), at
		switch {
		case ran > longest+grace:
			return nil, errTime // it goes on until the work that can't be interrupted is over
		case ran > longest:
			b.interrupt(errTime)
		case heap == 0:
			heap = now
		case now > heap+maxHeap:
			b.interrupt(errMemory)
		}
		tick.Reset(time.Millisecond)
	}
}

// fatal is the cause of a call's end, with the runtime's error for it.
type fatal struct{ why, seen error }

// Error implements error.
func (f fatal) Error() string { return f.why.Error() }

// Unwrap is the runtime's error.
func (f fatal) Unwrap() error { return f.seen }

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// asFailure is the error of a call, for people.
func asFailure(err error) *Failure {
	out := &Failure{Message: err.Error()}
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	var failure *Failure
	switch {
	case errors.As(err, &interrupted):
		if why, ok := interrupted.Value().(error); ok {
			out.Message = why.Error()
		}
		out.Line = lineOf(interrupted.Stack())
	case errors.As(err, &overflow):
		out.Message = fmt.Sprintf("the function calls itself more than %d times", maxCalls)
		out.Line = lineOf(overflow.Stack())
	case errors.As(err, &failure):
		*out = *failure
	}
	if f, ok := err.(fatal); ok {
		out.Message = f.Error()
	}
	const longestMessage = 500
	if len(out.Message) > longestMessage {
		out.Message = strings.ToValidUTF8(out.Message[:longestMessage], "")
	}
	return out
}

// thrownText is the text of a thrown value. An object's own function for its text is not called.
func thrownText(thrown *goja.Exception) string {
	v := thrown.Value()
	if o, ok := v.(*goja.Object); ok {
		if o.ClassName() != "Error" {
			return "an object was thrown"
		}
		text := func(name string) string {
			if s := o.Get(name); s != nil {
				if _, is := s.(*goja.Object); !is {
					return s.String()
				}
			}
			return ""
		}
		if name, message := text("name"), text("message"); name != "" {
			return name + ": " + message
		}
		return "an error was thrown"
	}
	if v == nil {
		return thrown.Error()
	}
	return v.String()
}

func lineOf(stack []goja.StackFrame) int {
	for _, frame := range stack {
		if p := frame.Position(); p.Line > 0 && frame.SrcName() == "function" {
			return p.Line
		}
	}
	return 0
}

// fail ends the call with an error that the function can't make undone by catching it.
func (c *box) fail(format string, args ...any) {
	c.fatal = fmt.Errorf(format, args...)
	panic(c.runtime.NewGoError(c.fatal))
}

// emit is the JavaScript function emit.
func (c *box) emit(args goja.FunctionCall) goja.Value {
	key, value := c.text(args.Argument(0)), c.text(args.Argument(1))
	c.keys += len(key)
	c.bytes += len(key) + len(value)
	switch {
	case len(c.rows) >= MaxRows:
		c.fail("more than %d rows are emitted", MaxRows)
	case len(key) > MaxKey:
		c.fail("a key of %d bytes is emitted, the limit is %d", len(key), MaxKey)
	case len(value) > MaxValue:
		c.fail("a value of %d bytes is emitted, the limit is %d", len(value), MaxValue)
	case c.keys > MaxKeys:
		c.fail("keys of more than %d bytes are emitted", MaxKeys)
	case c.bytes > MaxRow:
		c.fail("rows of more than %d bytes are emitted", MaxRow)
	}
	c.rows = append(c.rows, Row{key, value})
	return goja.Undefined()
}

// text is the JSON of a value; null for values that JSON lacks.
func (c *box) text(v goja.Value) []byte {
	b, ok := c.appendJSON(nil, v, "", 0)
	if !ok {
		return []byte("null")
	}
	return b
}

// deepest is how deep arrays and objects are that become JSON, longestJSON how long it is.
const (
	deepest     = 100
	longestJSON = 16 << 20
)

// appendJSON is JSON.stringify; false for values that it leaves out of objects. The runtime's own has no limits.
func (c *box) appendJSON(dst []byte, v goja.Value, name string, depth int) ([]byte, bool) {
	c.goOn()
	if depth > deepest {
		panic(c.runtime.NewTypeError("a value is deeper than %d arrays and objects", deepest))
	}
	if len(dst) > longestJSON {
		panic(c.runtime.NewTypeError("a value is longer than %d bytes", longestJSON))
	}
	if o, ok := v.(*goja.Object); ok {
		if own, ok := goja.AssertFunction(o.Get("toJSON")); ok {
			plain, err := own(o, c.runtime.ToValue(name))
			if err != nil {
				panic(err)
			}
			v = plain
		}
	}
	switch o := v.(type) {
	case nil:
		return dst, false
	case goja.String:
		return appendQuoted(dst, o), true
	case *goja.Symbol:
		return dst, false
	case *goja.Object:
		return c.appendObject(dst, o, depth)
	}
	switch x := v.Export().(type) {
	case bool, int64:
		return fmt.Append(dst, x), true
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return append(dst, "null"...), true
		}
		return append(dst, v.String()...), true
	}
	if goja.IsNull(v) {
		return append(dst, "null"...), true
	}
	return dst, false // undefined; a BigInt
}

func (c *box) appendObject(dst []byte, o *goja.Object, depth int) ([]byte, bool) {
	if _, ok := goja.AssertFunction(o); ok {
		return dst, false
	}
	switch o.ClassName() {
	case "Number", "String", "Boolean":
		if plain, ok := goja.AssertFunction(o.Get("valueOf")); ok {
			if v, err := plain(o); err == nil {
				if _, again := v.(*goja.Object); !again {
					return c.appendJSON(dst, v, "", depth+1)
				}
			}
		}
	case "Array":
		length := o.Get("length").ToInteger()
		if length > longestJSON/2 {
			panic(c.runtime.NewTypeError("a value is longer than %d bytes", longestJSON))
		}
		dst = append(dst, '[')
		for i := range length {
			if i > 0 {
				dst = append(dst, ',')
			}
			name := fmt.Sprint(i)
			next, ok := c.appendJSON(dst, o.Get(name), name, depth+1)
			if dst = next; !ok {
				dst = append(dst, "null"...)
			}
		}
		return append(dst, ']'), true
	}
	dst = append(dst, '{')
	first := true
	for _, name := range o.Keys() {
		start := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, c.runtime.ToValue(name).(goja.String)), ':')
		next, ok := c.appendJSON(dst, o.Get(name), name, depth+1)
		if dst = next; !ok {
			dst = dst[:start]
			continue
		}
		first = false
	}
	return append(dst, '}'), true
}

// appendQuoted appends a string as JSON. Half of a surrogate pair stays an escape, as in JSON.stringify.
func appendQuoted(dst []byte, s goja.String) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i, n := 0, s.Length(); i < n; i++ {
		switch u := rune(s.CharAt(i)); {
		case u == '"' || u == '\\':
			dst = append(dst, '\\', byte(u))
		case u == '\n':
			dst = append(dst, `\n`...)
		case u == '\r':
			dst = append(dst, `\r`...)
		case u == '\t':
			dst = append(dst, `\t`...)
		case u == '\b':
			dst = append(dst, `\b`...)
		case u == '\f':
			dst = append(dst, `\f`...)
		case u < 0x20 || u >= 0xdc00 && u < 0xe000:
			dst = append(dst, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
		case u >= 0xd800 && u < 0xdc00:
			if i+1 < n {
				if low := rune(s.CharAt(i + 1)); low >= 0xdc00 && low < 0xe000 {
					dst = append(dst, string((u-0xd800)<<10+(low-0xdc00)+0x10000)...)
					i++
					continue
				}
			}
			dst = append(dst, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
		default:
			dst = append(dst, string(u)...)
		}
	}
	return append(dst, '"')
}
