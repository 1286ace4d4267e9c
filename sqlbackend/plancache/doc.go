// Package plancache keeps the plans of statements of one table as programs. It finds a statement's program by its
// text and the state that it was planned by, and runs it with the statement's values.
package plancache
