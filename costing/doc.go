// Package costing keeps the exact counts of a collection's keypaths and chooses
// access paths by them.
//
// It does not decide whether a predicate can use a keypath (sqlbackend/pushdown),
// and it reads no entries and no documents. The choice is a pure function.
package costing
