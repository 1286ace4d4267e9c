// Package document is JSON as documents need it. It checks and compacts a text, reads
// values in place, spells keypaths and changes single keypaths. It puts values in order,
// and flattens a document into one leaf for every value that the index knows.
//
// It stores nothing, knows no SQL type, and encodes nothing for keys: package
// ordered makes values comparable as bytes, package collation makes strings so.
//
// A text is accepted or refused as a whole, by RFC 8259 and stricter rules. These are valid
// UTF-8; no key twice in one object; no escape of half a surrogate pair; nesting, size and
// exponents within limits. An accepted text stays as it came, digit for digit, escape for
// escape and in the order of its keys; only white space between the tokens is removed.
package document
