//go:build !race

package harness

// raced: the race detector looks on.
const raced = false
