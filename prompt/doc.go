// Package prompt is the client that people type at: it reads statements from a terminal or a pipe, runs them on a
// server through a driver, and shows what comes back.
//
// A statement is ended without its session: KILL QUERY comes from a second connection, so that variables, temporary
// tables and the open transaction stay. The same connection asks how far a statement has come, and what names there
// are to complete.
package prompt
