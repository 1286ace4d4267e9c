// Package sqltests runs SQL scripts against a server, over the wire: a black
// box, once per storage engine. It holds no code but the tests.
package sqltests
