// Package clients runs what people have against a server: ORMs, tools that migrate, and MySQL's own programs.
//
// Each client's script is in testdata: it does with its tool what a person does, prints what it sees, and fails
// where the tool does. What it prints is kept in testdata/want. The tests install npm's packages and Go's modules
// into temporary folders, so they run only with the flag -clients.
package clients
