// Package bench holds the benchmarks that go through several rooms of the
// house, and the documents that they use.
//
// Benchmarks of one package stand in that package.
package bench
