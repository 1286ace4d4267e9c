package pebblekv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"

	walrecord "github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/wal"
)

// logsHold proves that the logs have every version that our own files know of: Pebble does
// not notice a log that ends early, or is missing.
func (f *folder) logsHold() error {
	var missing []error // each thing, in order
	var away []string
	for _, name := range slices.Sorted(maps.Keys(f.held.logs)) {
		if !f.has(name) {
			missing, away = append(missing, lacks("%s is missing", name)), append(away, name)
		}
	}
	gap := func(from, to int64, where string) {
		f.gaps = append(f.gaps, versions{from, to})
		missing = append(missing, lacks("the commits of versions %d to %d are missing %s", from, to, where))
	}
	logs, err := wal.Scan(wal.Dir{FS: f.fs, Dirname: f.dir})
	if err != nil {
		return err
	}
	first := f.firstLog()
	have := int64(0) // 0: not known yet
	begins := func(name string) {
		if after := f.held.logs[name]; after > 0 {
			if have > 0 && have < after {
				gap(have+1, after, "before "+name)
			}
			have = max(have, after)
		}
	}
	// A flush that nobody waited for can begin a log one commit later than its note says. That commit is in the log
	// before, which is known to have gone on so far. This does not hold for the first log.
	slack := int64(1)
	gone := 0 // how many of the missing logs have been looked at
	for _, log := range logs {
		_, path := log.SegmentLocation(0)
		name := f.fs.PathBase(path)
		if logNumber(name) < first {
			continue
		}
		for ; gone < len(away) && logNumber(away[gone]) < logNumber(name); gone++ {
			begins(away[gone])
			slack = 0
		}
		begins(name)
		err := logVersions(log, func(version int64) error {
			if have > 0 && version > have+1+slack {
				gap(have+1, version-1, "in or before "+name)
			}
			have, slack = max(have, version), 0
			return nil
		})
		if err != nil {
			return err
		}
		slack = 0
	}
	for _, name := range away[gone:] {
		begins(name)
	}
	if want := f.acknowledged(); have > 0 && have < want {
		missing = append(missing,
			lacks("the logs end at version %d, and commits up to %d were acknowledged", have, want))
	}
	if len(missing) > 0 {
		return missing[0]
	}
	return nil
}

// firstLog is the number of the first log that is needed. Earlier logs were given up, if they are still there.
func (f *folder) firstLog() (first int64) {
	for name := range f.held.logs {
		if n := logNumber(name); first == 0 || n < first {
			first = n
		}
	}
	return first
}

// endLogs cuts each log behind its readable part, where Pebble would not open the store because of the rest. That is
// so for a log that others follow, and for one that has readable records behind the damage. It reports which logs it
// has cut.
func (f *folder) endLogs() (cut []string, err error) {
	logs, err := wal.Scan(wal.Dir{FS: f.fs, Dirname: f.dir})
	if err != nil {
		return nil, err
	}
	for i, log := range logs {
		_, path := log.SegmentLocation(log.NumSegments() - 1)
		name := f.fs.PathBase(path)
		if logNumber(name) < f.firstLog() {
			continue
		}
		end, unclean, err := logEnd(log)
		if err != nil {
			return nil, err
		}
		if unclean == nil || i == len(logs)-1 && errors.Is(unclean, walrecord.ErrUnexpectedEOF) {
			continue // as after a kill
		}
		text, err := readFile(f.fs, path)
		if err != nil {
			return nil, err
		}
		if err := replaceFile(f.fs, f.dir, path, text[:min(end, int64(len(text)))]); err != nil {
			return nil, err
		}
		cut = append(cut, name)
	}
	return cut, nil
}

// logEnd is where the readable part of a log ends. unclean is the error of the rest; nil: there is none.
func logEnd(log wal.LogicalLog) (end int64, unclean, err error) {
	r := log.OpenForRead()
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		in, at, err := r.NextRecord()
		if err == nil {
			_, err = io.Copy(io.Discard, in)
		}
		switch {
		case errors.Is(err, io.EOF):
			return at.Physical, nil, nil
		case isUnclean(err):
			return at.Physical, err, nil
		case err != nil:
			return 0, nil, err
		}
	}
}

// isUnclean reports whether an error of reading a log means that no more of it can be read.
func isUnclean(err error) bool {
	return errors.Is(err, walrecord.ErrUnexpectedEOF) || errors.Is(err, walrecord.ErrInvalidChunk) ||
		errors.Is(err, walrecord.ErrZeroedChunk)
}

// versionTail is how a batch of commits ends, but for the version's 8 bytes.
var versionTail = append(append([]byte{1, byte(len(versionKey))}, versionKey...), 8)

// logVersions visits the versions that a log holds, as far as it can be read: Pebble judges its end.
func logVersions(log wal.LogicalLog, visit func(version int64) error) (err error) {
	r := log.OpenForRead()
	defer func() { err = errors.Join(err, r.Close()) }()
	var buf bytes.Buffer
	for {
		in, _, err := r.NextRecord()
		if err == nil {
			buf.Reset()
			_, err = io.Copy(&buf, in)
		}
		if err != nil {
			if errors.Is(err, io.EOF) || isUnclean(err) {
				return nil
			}
			return err
		}
		tail, b := len(versionTail)+8, buf.Bytes()
		if len(b) < tail || !bytes.Equal(b[len(b)-tail:len(b)-8], versionTail) {
			continue // a batch of the engine's own
		}
		if err := visit(int64(binary.BigEndian.Uint64(b[len(b)-8:]))); err != nil {
			return err
		}
	}
}
