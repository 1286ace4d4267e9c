// Package compile makes programs of the batch executor of parts of plans: of what is grouped or aggregated over one
// table. What exec does not compute, the engine's executor does, and the reason is told.
package compile
