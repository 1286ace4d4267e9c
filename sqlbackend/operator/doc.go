// Package operator has iterators that replace the engine's: groups, windows, sets, recursion and first rows. They
// stay within the memory that a statement may hold.
package operator
