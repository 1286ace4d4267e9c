// Package feeds follows tables of changes while they are written to: no change is missing, comes twice, or comes in
// another order.
//
// It holds no code but the tests.
package feeds
