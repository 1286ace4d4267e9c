// Package hold counts the memory that a statement holds, and stops its long work when the statement is over.
package hold
