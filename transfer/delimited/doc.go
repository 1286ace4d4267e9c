// Package delimited reads and writes documents as fields between delimiters: CSV by
// RFC 4180, text between tabs, and the escaped text that MySQL's tools write.
//
// It tells the delimiter, the header and the types of columns by looking. Nothing that it
// reads is changed: a number keeps its digits, and what is no plain number stays text.
package delimited
