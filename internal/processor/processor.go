//go:build unix

// Package processor measures how much processor time this process has used: for benchmarks on machines that have
// other work too.
package processor

import (
	"syscall"
	"time"
)

// Time is the processor time that the process has used so far, in all its threads.
func Time() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // its only error is a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
