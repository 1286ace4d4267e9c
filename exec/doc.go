// Package exec runs parts of plans over batches of rows: typed columns with null bitmaps and a selection of rows,
// expressions that compute a column of columns, and aggregates by group. It knows neither SQL's syntax nor the engine.
//
// It computes what is plain: numbers that fit 64 bits, texts, times. Anything else ends the run with ErrUnexpected: an
// overflow, a division by zero, a value of an unexpected type. Whoever started it has another executor do the work.
package exec
