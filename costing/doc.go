// Package costing keeps the exact counts of a collection's keypaths and chooses
// access paths by them.
//
// It does not decide whether a predicate can use a keypath (sqlbackend/pushdown),
// it counts no more entries than the choice needs, and it reads no documents. The choice
// is a pure function.
package costing
