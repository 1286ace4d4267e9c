// Package session holds a client's session and its state: its transaction, the definitions of tables that the
// transaction sees, session variables, and the figures of the running command. It also holds the state that the
// sessions over one store share.
//
// It knows no plans of statements. The work of packages above at points of a session's life is in [Hooks], which
// NewEngine sets.
package session
