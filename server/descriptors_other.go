//go:build !unix

package server

// descriptorLimit is how many files and connections this process may have open.
func descriptorLimit() int { return 1 << 14 }
