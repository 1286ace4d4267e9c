package icu

import "unsafe"

// Pool is go-icu-regex's pool: a test in this package would have the package initialised after go-icu-regex.
func Pool() unsafe.Pointer { return pool }
