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

// logsHold proves that the logs have every version that our own files know of: Pebble takes a log
// that ends early, or isn't there, for one that never held more.
func (f *folder) logsHold() error {
	for _, name := range slices.Sorted(maps.Keys(f.held.logs)) {
		if !f.has(name) {
			return lacks("%s is missing", name)
		}
	}
	logs, err := wal.Scan(wal.Dir{FS: f.fs, Dirname: f.dir})
	if err != nil {
		return err
	}
	first := int64(0) // that is needed. Those before it were given up, as far as they are still there
	for name := range f.held.logs {
		if n := logNumber(name); first == 0 || n < first {
			first = n
		}
	}
	have := int64(0) // 0: not known yet
	for _, log := range logs {
		_, path := log.SegmentLocation(0)
		name := f.fs.PathBase(path)
		if logNumber(name) < first {
			continue
		}
		if after := f.held.logs[name]; after > 0 {
			if have > 0 && have < after {
				return lacks("the commits of versions %d to %d are missing before %s", have+1, after, name)
			}
			have = after
		}
		// A flush that nobody waited for can begin a log one commit later than its note says.
		slack := int64(1)
		err := logVersions(log, func(version int64) error {
			if have > 0 && version > have+1+slack {
				return lacks("the commits of versions %d to %d are missing in or before %s", have+1, version-1, name)
			}
			have, slack = max(have, version), 0
			return nil
		})
		if err != nil {
			return err
		}
	}
	if want := f.acknowledged(); have > 0 && have < want {
		return lacks("the logs end at version %d, and commits up to %d were acknowledged", have, want)
	}
	return nil
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
			for _, end := range []error{io.EOF, walrecord.ErrUnexpectedEOF, walrecord.ErrInvalidChunk,
				walrecord.ErrZeroedChunk} {
				if errors.Is(err, end) {
					return nil
				}
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
