// Package explain shows plans: EXPLAIN as a table, as a tree and as JSON, and EXPLAIN ANALYZE with each node's actual
// figures.
package explain
