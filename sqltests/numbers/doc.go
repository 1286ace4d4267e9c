// Package numbers compares numbers, times and texts that stand beside each other in every construct of SQL, over
// indexes and without, with exact arithmetic.
//
// It holds no code but the tests.
package numbers
