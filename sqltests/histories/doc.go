// Package histories lets clients contend for the same rows, under faults, and checks from what they saw that their
// transactions have one order: strict serializability.
//
// It holds no code but the tests.
package histories
