//go:build !unix

package store

import (
	"errors"
	"os"
	"time"
)

// lockFile waits until this process alone has made the file.
func lockFile(path string) (unlock func(), err error) {
	for range 1000 {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
		if err == nil {
			return func() { f.Close(); os.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, errors.New("the folder is locked: " + path)
}
