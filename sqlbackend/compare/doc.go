// Package compare gives operands, results and assigned values the types that MySQL has for them: what is equal, what is
// less, and what a value becomes in a column.
package compare
