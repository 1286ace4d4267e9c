// Package delimited reads and writes documents as fields between delimiters: CSV by
// RFC 4180, text between tabs, and the escaped text that MySQL's tools write.
//
// It recognizes the delimiter, the header and the types of columns from the data. It
// changes no value: a number keeps its digits, and a field that is no plain number stays
// text.
package delimited
