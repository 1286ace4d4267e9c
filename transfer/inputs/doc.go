// Package inputs opens what an import reads: it expands names, takes gzip, zstd and
// bzip2 off by their bytes, and tells what a file holds from its first bytes.
//
// It reads no document: which formats there are it knows, and what else people have
// files of, so that a file that can't be imported is named as what it is.
package inputs
