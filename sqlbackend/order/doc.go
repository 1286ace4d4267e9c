// Package order reads rows in the order that a statement wants, where that costs less than sorting, and only as many
// as its LIMIT needs. It also finds the columns that entries have, so that no documents are read.
package order
