package pebblekv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
)

// storeKey holds the store's name for itself: our own files must have the same.
var storeKey = []byte("\xff\x00store")

// openEngine proves that the folder holds a whole store, or nothing, and has Pebble open it.
func (s *store) openEngine() error {
	if err := s.prepare(); err != nil {
		return err
	}
	var err error
	s.lock, err = pebble.LockDirectory(s.dir, failStopFS{s.opts.FS, s})
	if err != nil {
		if isLocked(err) {
			return fmt.Errorf("%w", kv.ErrLocked)
		}
		return err
	}
	if err := s.recognise(); err != nil {
		return err
	}
	o := s.opts.pebble(s)
	o.Lock = s.lock
	err = s.openPebble(o)
	if errors.Is(err, os.ErrNotExist) { // a table
		return fmt.Errorf("%w: %w", kv.ErrDamaged, err)
	}
	return err
}

// prepare finds the folder, and makes it where a store is to be made.
func (s *store) prepare() error {
	here, err := lookAt(s.opts.FS, s.dir)
	if err != nil {
		return err
	}
	if here.empty() {
		if s.opts.MustExist || s.opts.ReadOnly {
			return errNoStore
		}
		if err := here.mayBeMade(); err != nil {
			return err
		}
		if err := s.opts.FS.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
	}
	if s.opts.FS != vfs.Default {
		return nil
	}
	// One spelling per directory: locks within a process go by name.
	if s.dir, err = filepath.EvalSymlinks(s.dir); err != nil {
		return err
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return err
	}
	if here.empty() {
		// An empty folder existed already; if it is another user's, that user decides who may read it.
		if err := os.Chmod(s.dir, 0o700); err != nil && !errors.Is(err, os.ErrPermission) {
			return err
		}
	}
	return nil
}

// recognise looks at the folder again, now that nobody else has it open, and notes its content.
func (s *store) recognise() error {
	here, err := lookAt(s.opts.FS, s.dir)
	if err != nil {
		return err
	}
	s.inventory = &inventory{fs: s.opts.FS, dir: s.dir, manifest: map[string]*manifestSum{}}
	if s.making = here.empty(); !s.making {
		if err := here.recognise(); err != nil {
			return err
		}
		if err := here.logsHold(); err != nil && !s.accepted(err) {
			return err
		}
		if s.opts.AcceptLoss && !s.opts.ReadOnly {
			cut, err := here.endLogs()
			if err != nil {
				return err
			}
			s.lossy = s.lossy || len(cut) > 0
		}
		s.lost = here.gaps
	}
	v := s.inventory
	v.now = here.held
	if v.now.id == "" {
		v.now.id = newID()
	}
	if v.now.logs == nil {
		v.now.logs = map[string]int64{}
	}
	v.floor = here.acknowledged()
	if s.opts.ReadOnly {
		v.quiet = true
		return nil
	}
	if len(here.mine) == 0 && !s.making {
		v.quiet = true // a store of before there were files of our own: they are made once it is open
		return nil
	}
	if !v.now.whole {
		s.making = s.making || here.first("marker.manifest.") == ""
	}
	for name := range v.now.logs {
		if !here.has(name) {
			delete(v.now.logs, name) // accepted
		}
	}
	// Before anything else is written, and so informed of a disk that takes nothing.
	if err := v.write(); err != nil {
		return fmt.Errorf("writing to the folder: %w", err)
	}
	v.quiet = !v.now.whole
	return nil
}

// accepted reports whether a loss is accepted, by the options.
func (s *store) accepted(err error) bool {
	if s.opts.AcceptLoss && errors.Is(err, kv.ErrIncomplete) {
		s.opts.Logger.Warn("pebblekv: the store is opened with less", "directory", s.dir, "error", err)
		s.lossy = true
		return true
	}
	return false
}

// stopped reports an error that stops a goroutine of Pebble's for good: it ends Open, or the store's writes.
func (s *store) stopped(err error) {
	if s.opened.Load() {
		s.fail(err)
	} else {
		s.openStuck(err)
	}
}

// openStuck ends Open with an error, for a goroutine of Pebble's that can't go on.
func (s *store) openStuck(err error) {
	select {
	case s.stuck <- err:
	default:
	}
}

// openPebble has Pebble open the store, and gives up when it makes no progress: on a disk that accepts no writes it
// would repeat its first flush for ever. Then the lock stays, for it may still write.
func (s *store) openPebble(o *pebble.Options) error {
	type outcome struct {
		db  *pebble.DB
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() {
			// Pebble panics on some errors of the file system.
			switch r := recover().(type) {
			case nil:
			case error:
				done <- outcome{err: r}
			default:
				done <- outcome{err: fmt.Errorf("%v", r)}
			}
		}()
		db, err := pebble.Open(s.dir, o)
		done <- outcome{db, err}
	}()
	select {
	case got := <-done:
		s.db = got.db
		return got.err
	case err := <-s.stuck:
		select {
		case got := <-done: // it went on
			if got.err == nil {
				got.err = errors.Join(err, got.db.Close())
			}
			return got.err
		case <-time.After(100 * time.Millisecond):
		}
		s.lock = nil
		if errors.Is(err, syscall.ENOSPC) || vfs.IsNoSpaceError(err) {
			return fmt.Errorf("%w: make room and start again; what is stored can be read (check, backup)", err)
		}
		return err
	}
}

// begin is recover, given up when the disk fails meanwhile: a goroutine of Pebble's may be stuck then, and
// the lock stays.
func (s *store) begin() (version int64, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if version, err = s.recover(); err == nil {
			return
		}
		err = errors.Join(err, s.db.Close(), s.lock.Close())
	}()
	select {
	case <-done:
		return version, err
	case <-s.failed:
		return 0, s.failureError()
	}
}

// recover proves that Pebble has all acknowledged commits, takes in the sums of the journal, and writes the engine's
// own files of the opened store. It returns the last commit version, which is 1 for an empty store.
func (s *store) recover() (version int64, err error) {
	if version, err = versionAt(s.db, versionKey); err != nil {
		return 0, err
	}
	if max(version, 1) < s.inventory.floor {
		err := lacks("the store has commits up to version %d, and those up to %d were acknowledged", version,
			s.inventory.floor)
		if !s.accepted(err) {
			return 0, err
		}
		s.lost = append(s.lost, versions{version + 1, s.inventory.floor})
	}
	version = max(version, 1, s.inventory.floor)
	named, err := s.named()
	if err != nil {
		return 0, err
	}
	if s.opts.ReadOnly {
		s.counters.now, err = readSums(s.db)
		return version, err
	}
	if err := s.counters.journal.recover(s.db, s.lossy); err != nil {
		return 0, err
	}
	if s.lossy {
		if err := s.acceptLoss(version); err != nil {
			return 0, err
		}
	}
	if !named {
		if err := s.db.Set(storeKey, []byte(s.inventory.now.id), pebble.Sync); err != nil {
			return 0, err
		}
	}
	return version, s.inventory.finish(version)
}

// acceptLoss has Pebble know the version that was acknowledged last as its own. So the lost commits are missed no
// more, and no new one gets the version of one of them.
func (s *store) acceptLoss(version int64) error {
	b := binary.BigEndian.AppendUint64(nil, uint64(version))
	if err := s.db.Set(versionKey, b, pebble.Sync); err != nil {
		return err
	}
	s.inventory.lossAccepted()
	for _, lost := range s.lost {
		s.opts.Logger.Warn("pebblekv: commits are accepted as lost", "directory", s.dir, "first", lost.first,
			"last", lost.last, "next", version+1)
	}
	return nil
}

// named compares the store's id in Pebble with the id in the engine's own files. It is false if Pebble has none yet.
func (s *store) named() (bool, error) {
	v, closer, err := s.db.Get(storeKey)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer closer.Close()
	if id := s.inventory.now.id; string(v) != id {
		err := lacks("%s and %s are missing, or of another store", inventoryName, lastName)
		if !s.accepted(err) {
			return false, err
		}
		s.inventory.now.id = string(v)
	}
	return true, nil
}

// keepLast makes the note of the acknowledged version durable every second, if it has changed.
func (s *store) keepLast() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	written := int64(0)
	for {
		select {
		case <-s.quit:
			return
		case <-ticker.C:
		}
		if now := s.newestVersion(); now != written {
			written = now
			if err := s.inventory.sync(); err != nil {
				s.opts.Logger.Error("pebblekv: noting the last commit", "directory", s.dir, "error", err)
			}
		}
	}
}
