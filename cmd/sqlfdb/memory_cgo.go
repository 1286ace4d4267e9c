//go:build cgo

package main

// cacheOutsideHeap: the embedded engine takes its cache from the C library, where there is one.
const cacheOutsideHeap = true
