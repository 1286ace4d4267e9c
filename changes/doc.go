// Package changes keeps the log of a collection: every document once, at its
// last change, in the order of commits.
//
// It does not read documents, and does not decide what a change is: tables.put appends.
package changes
