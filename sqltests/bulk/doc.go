// Package bulk runs statements that outlive a transaction: writes in batches, which go on where they were broken off,
// and long reads.
//
// It holds no code but the tests.
package bulk
