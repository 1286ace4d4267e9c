//go:build race

package harness

// Raced tells that the race detector looks on.
const Raced = true
