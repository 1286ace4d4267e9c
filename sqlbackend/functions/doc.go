// Package functions has SQL's functions and aggregates as MySQL defines them, in place of the engine's and beside
// them.
package functions
