// Package statement reads the text and the syntax tree of a statement: its tokens, the names in it, and whether it is
// too complex to be run.
package statement
