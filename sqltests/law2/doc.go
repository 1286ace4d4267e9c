// Package law2 asks random statements in several ways, which must all give the same: over indexes and without, by
// either executor, from kept programs and replanned, and as two oracles in Go say. The same values show that encoded
// order is SQL's.
//
// It holds no code but the tests.
package law2
