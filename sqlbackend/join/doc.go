// Package join plans joins of two tables and runs them: looked up in batches, hashed, or as a nested loop that holds
// its right side. What is expected of each comes from the counts of its tables.
package join
