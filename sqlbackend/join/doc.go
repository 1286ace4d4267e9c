// Package join plans joins of two tables and runs them: looked up in batches, hashed, or as a nested loop that holds
// its right side. It estimates their costs from the counts of the tables.
package join
