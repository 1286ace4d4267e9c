package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/transfer/delimited"
	"github.com/sqlfdb/sqlfdb/transfer/inputs"
)

// Files reads the documents of several files, one file behind the other.
type Files struct {
	names   []string
	stdin   io.Reader
	options SourceOptions
	limit   int64 // documents still to be read; negative: all
	ctx     context.Context

	held    []Item // read before they were asked for
	current *Source
	open    map[string]*Source // sources that can't be opened again
	done    atomic.Int64       // bytes of files that are through
	reading atomic.Pointer[Source]

	// Size is how many bytes the files have on disk, -1 when unknown.
	Size int64
	// Extended and Odd are the sums of the sources'.
	Extended, Odd int64
	// Empty are the files without a byte.
	Empty []string
	// Detected describes the format that was detected of each file.
	Detected []string
}

// FilesOptions are the settings of OpenFiles.
type FilesOptions struct {
	Source SourceOptions
	// Limit is how many documents are read; 0 means all.
	Limit int64
}

// OpenFiles looks at every file, and fails when one of them can't be imported. Names may be patterns; inputs.Stdin is
// stdin. An empty file is only noted, unless all are.
func OpenFiles(ctx context.Context, names []string, stdin io.Reader, o FilesOptions) (*Files, error) {
	names, err := inputs.Expand(names)
	if err != nil {
		return nil, err
	}
	f := &Files{stdin: stdin, options: o.Source, ctx: ctx, limit: -1, open: map[string]*Source{}}
	if o.Limit > 0 {
		f.limit = o.Limit
	}
	if len(names) > 1 {
		f.options.Delimited.Types = &delimited.Types{}
	}
	for _, name := range names {
		s, file, err := f.source(name)
		if errors.Is(err, inputs.ErrEmpty) {
			f.Empty = append(f.Empty, name)
			continue
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		f.names = append(f.names, name)
		f.Detected = append(f.Detected, name+": "+s.Detected())
		if file.Size < 0 {
			f.Size = -1
		} else if f.Size >= 0 {
			f.Size += file.Size
		}
		if file.Again() && len(names) > 1 {
			err = s.Close()
		} else {
			f.open[name] = s
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	f.options.learned = true
	if len(f.names) == 0 {
		return nil, fmt.Errorf("%s: %w", f.Empty[0], inputs.ErrEmpty)
	}
	return f, nil
}

func (f *Files) source(name string) (*Source, *inputs.File, error) {
	file, err := inputs.Open(name, f.stdin)
	if err != nil {
		return nil, nil, err
	}
	s, err := OpenSource(f.ctx, file, f.options)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, file, nil
}

// Any reads on to the first document, and reports whether there is one.
func (f *Files) Any() (bool, error) {
	for {
		item, err := f.read()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		f.held = append(f.held, item)
		if item.Err == nil {
			return true, nil
		}
	}
}

// Next is Source.Next over all files.
func (f *Files) Next() (Item, error) {
	if len(f.held) > 0 {
		item := f.held[0]
		f.held = f.held[1:]
		return item, nil
	}
	return f.read()
}

func (f *Files) read() (Item, error) {
	for {
		if f.limit == 0 {
			return Item{}, io.EOF
		}
		if f.current == nil {
			if len(f.names) == 0 {
				return Item{}, io.EOF
			}
			name := f.names[0]
			f.names = f.names[1:]
			s := f.open[name]
			delete(f.open, name)
			if s == nil {
				var err error
				if s, _, err = f.source(name); err != nil {
					return Item{}, err
				}
			}
			f.current = s
			f.reading.Store(s)
		}
		item, err := f.current.Next()
		if err == nil {
			if item.Err == nil && f.limit > 0 {
				f.limit--
			}
			return item, nil
		}
		s := f.current
		f.reading.Store(nil)
		f.current = nil
		f.done.Add(s.BytesRead())
		f.Extended += s.Extended
		f.Odd += s.Odd()
		if err != io.EOF {
			return Item{}, errors.Join(fmt.Errorf("%s: %w", s.file.Name, err), s.Close())
		}
		if err := s.Close(); err != nil {
			return Item{}, err
		}
	}
}

// BytesRead is how much of the files on disk has been read. It may be called from another goroutine.
func (f *Files) BytesRead() int64 {
	n := f.done.Load()
	if s := f.reading.Load(); s != nil {
		n += s.BytesRead()
	}
	return n
}

// Close closes the open sources.
func (f *Files) Close() (err error) {
	if s := f.current; s != nil {
		f.Extended += s.Extended
		f.Odd += s.Odd()
		f.current = nil
		err = s.Close()
	}
	for _, s := range f.open {
		err = errors.Join(err, s.Close())
	}
	return err
}
