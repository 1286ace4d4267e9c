// Package functions gives SQL's functions and aggregates as MySQL has them, in place of the engine's and beside them.
package functions
