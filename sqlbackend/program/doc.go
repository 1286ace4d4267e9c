// Package program keeps plans of statements for their next runs. A statement is found by its text, in which
// parameters take the place of literals, by the parameters' kinds, and by whatever else its plan depends on. The
// package knows which of the plan's literals come from which parameter. So other values make another plan of it
// without parsing, binding or analysis. The caller makes the parts again that depend on tables.
package program
