//go:build !cgo

package main

const cacheOutsideHeap = false
