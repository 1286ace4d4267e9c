// Package batch commits statements that are too large for one transaction in batches, with a marker that says how far
// they have come, and reads the rows of LOAD DATA.
package batch
