// Package compile makes programs of the batch executor of parts of plans: filters, GROUP BY and
// aggregates over one table. What exec does not compute, the engine's executor does, and EXPLAIN gives the reason.
package compile
