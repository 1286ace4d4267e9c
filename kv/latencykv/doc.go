// Package latencykv puts a distance between a program and a store, over any engine. Every answer takes the time of a
// round trip, and round trips that follow each other are counted. Tests hold statements to their number of round
// trips with it, and see how long they would take over a network.
//
// It has the shape of a client of FoundationDB:
//
//   - Begin asks for the read version and does not wait for it. Reads wait for the
//     version, then for their answer: the first read of a transaction takes two round trips.
//   - Get, EstimateSize and the first batch of Range are asked for when they are
//     called. All that were asked for before the first wait for one of them take one round trip together.
//   - A range comes in batches of so many bytes, by its streaming mode, a round trip each:
//     in ever larger ones (StreamIterate), in the largest from the beginning (StreamAll, or any
//     mode with a Limit) or in small ones (StreamSmall). Except in small ones, the batch
//     behind the second of them, or behind the first of the largest, is asked for when
//     the reader meets the one before it.
//   - A commit that writes takes one, one that doesn't none.
//   - Writes, conflict ranges and the making of watches take none.
//
// SetCluster adds servers that share the keys, each with a queue: what many clients do at once waits for the servers of
// its keys.
//
// # Counting
//
// Trips is a clock whose unit is the round trip. An answer is there one unit after it was asked for. A wait for it
// moves the clock there, unless somebody has waited as long already. So the clock's difference around a statement is
// the longest chain of waits in it, independent of the machine's load, as long as one goroutine works at a time.
// Goroutines that ask at the same time may be counted as one after the other.
package latencykv
