// Package plancache keeps the plans of statements of one table as programs, finds a statement's by its text and what
// it was planned by, and runs it on the values of the moment.
package plancache
