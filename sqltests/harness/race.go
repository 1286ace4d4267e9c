//go:build race

package harness

// raced tells that the race detector looks on.
const raced = true
