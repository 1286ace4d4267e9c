// Package sandbox runs the JavaScript functions of map indexes on documents. The same document gives the same rows,
// on every machine and at any time, and a call sees nothing of earlier documents.
//
// There is no I/O, no clock, no randomness and no time zone but UTC. Each call has a runtime of its own, limits on
// time, stack, memory, rows and bytes, and no way to make code of text. It knows neither keys nor a store.
package sandbox
