// Package hold counts the memory that a statement holds and stops what takes long when the statement is over.
package hold
