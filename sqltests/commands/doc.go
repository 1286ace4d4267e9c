// Package commands runs the built command as its users do: each subcommand, what survives when a server is killed, and
// what the pages of the documentation show.
//
// It holds no code but the tests.
package commands
