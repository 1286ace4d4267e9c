//go:build !race

package sqltests

// raced: the race detector looks on.
const raced = false
