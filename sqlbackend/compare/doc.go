// Package compare gives operands, results and assigned values the types that MySQL has for them. These decide which
// values are equal or less, and how a column stores a value.
package compare
