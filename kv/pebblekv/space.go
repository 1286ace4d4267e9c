package pebblekv

import (
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
)

const (
	defaultReserve = 512 << 20
	reserveShare   = 10 // of a small disk, this part
	spaceEvery     = 20 * time.Millisecond
)

// space watches the disk's room, so that commits are refused before Pebble, which can't go on
// without, meets the end of it.
type space struct {
	reserve int64 // as in Options

	mu    sync.Mutex
	asked time.Time
	err   error
}

// room returns why nothing may be written, nil when there is room.
func (p *space) room(fs vfs.FS, dir string) error {
	if p.reserve < 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.asked) < spaceEvery {
		return p.err
	}
	p.asked, p.err = time.Now(), nil
	usage, err := fs.GetDiskUsage(dir)
	if err != nil {
		return nil // a file system that can't report it has no reserve
	}
	reserve := p.reserve
	if reserve == 0 {
		reserve = min(defaultReserve, int64(usage.TotalBytes/reserveShare))
	}
	if int64(usage.AvailBytes) < reserve {
		p.err = fmt.Errorf("pebblekv: %w: %d MiB are free, %d MiB are kept free", kv.ErrFull, usage.AvailBytes>>20,
			reserve>>20)
	}
	return p.err
}
