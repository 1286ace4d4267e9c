// Package operator iterates in place of the engine's iterators: groups, windows, sets, recursion and first rows, within
// the memory that a statement may hold.
package operator
