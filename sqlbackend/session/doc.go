// Package session holds a client's session and what stands behind it: its transaction, the definitions of tables that
// the transaction sees, session variables, what the running command has done, and what the sessions over one store
// share.
//
// It knows no plan of a statement. What packages above do for a session at points of its life are [Hooks], which
// NewEngine sets.
package session
