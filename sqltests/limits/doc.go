// Package limits sends what is wrong, too long, too deep or too much: it is refused with a clear error, and nothing is
// lost.
//
// It holds no code but the tests.
package limits
