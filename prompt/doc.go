// Package prompt is the client that people type at: it reads statements from a terminal or a pipe, runs them on a
// server through a driver, and shows the results.
//
// A statement is ended without its session: KILL QUERY comes from a second connection, so that variables, temporary
// tables and the open transaction stay. The same connection asks for a statement's progress, and for the names that
// can be completed.
package prompt
