package pebblekv

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// lockReading locks a store whose folder can't be written to, so far as that goes: a server that has it
// open holds the lock for writing. Where there is no lock file nobody has it open.
func lockReading(name string) (io.Closer, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return io.NopCloser(nil), nil
	}
	if err != nil {
		return nil, err
	}
	lock := syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
