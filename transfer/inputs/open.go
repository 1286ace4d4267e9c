package inputs

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// headSize is how much of a file can be looked at before it is read.
const headSize = 1 << 20

// maxLayers bounds how often a file may be compressed.
const maxLayers = 3

// File is an open file, or standard input, without its compression.
type File struct {
	// Reader gives the file's content, decompressed. Its buffer has room for a MiB.
	*bufio.Reader
	// Name is the name as it was given.
	Name string
	// Plain is the name without the endings of compressions.
	Plain string
	// Size is the file's size on disk in bytes, -1 when it is unknown.
	Size int64
	// Compressed reports whether Reader gives other bytes than the file has.
	Compressed bool

	file  *os.File // nil for standard input
	read  atomic.Int64
	after []func()
}

// Open opens a file, or stdin when its name is Stdin. Errors name a remedy.
func Open(name string, stdin io.Reader) (*File, error) {
	f := &File{Name: name, Plain: name, Size: -1}
	in := stdin
	if name != Stdin {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		f.file = file
		info, err := file.Stat()
		switch {
		case err != nil:
			return nil, errors.Join(err, file.Close())
		case info.IsDir():
			return nil, errors.Join(isFolder(name), file.Close())
		case info.Mode().IsRegular():
			f.Size = info.Size()
		}
		in = file
	}
	if err := f.unpack(in); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return f, nil
}

// FromReader is a File of the bytes of in, under a name.
func FromReader(in io.Reader, name string) (*File, error) {
	f := &File{Name: name, Plain: name, Size: -1}
	return f, f.unpack(in)
}

// unpack takes compressions off.
func (f *File) unpack(in io.Reader) error {
	f.Reader = bufio.NewReaderSize(io.TeeReader(in, (*counter)(&f.read)), headSize)
	for range maxLayers {
		head, err := f.Peek(8)
		if err != nil && err != io.EOF {
			return err
		}
		var inner io.Reader
		switch {
		case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
			inner, err = gzip.NewReader(f.Reader)
		case isZstd(head):
			var z *zstd.Decoder
			if z, err = zstd.NewReader(f.Reader, zstd.WithDecoderMaxMemory(1<<30), zstd.WithDecoderConcurrency(1)); err == nil {
				f.after = append(f.after, z.Close)
			}
			inner = z
		case bytes.HasPrefix(head, []byte("BZh")) && len(head) == 8 && string(head[4:8]) == "1AY&":
			inner, err = bzip2.NewReader(f.Reader), nil
		default:
			return nil
		}
		if err != nil {
			return fmt.Errorf("the file is compressed, and damaged: %w", err)
		}
		f.Compressed = true
		f.Reader = bufio.NewReaderSize(&unpacked{inner}, headSize)
		for _, ending := range []string{".gz", ".gzip", ".zst", ".zstd", ".bz2"} {
			if n := len(f.Plain) - len(ending); n > 0 && strings.EqualFold(f.Plain[n:], ending) {
				f.Plain = f.Plain[:n]
				break
			}
		}
	}
	return nil
}

// isZstd recognizes frames of data, and skippable frames.
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	return bytes.Equal(head[:4], []byte{0x28, 0xb5, 0x2f, 0xfd}) || head[0]&0xf0 == 0x50 &&
		bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18})
}

// unpacked makes readable errors of damaged compressed bytes.
type unpacked struct{ in io.Reader }

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the compressed file is cut short: %w", err)
	default:
		err = fmt.Errorf("the compressed file is damaged: %w", err)
	}
	return n, err
}

// BytesRead is how much of the file on disk has been read. It may be called from another goroutine.
func (f *File) BytesRead() int64 { return f.read.Load() }

// Again reports whether the file can be opened once more with the same content.
func (f *File) Again() bool { return f.file != nil && f.Size >= 0 }

// Whole gives a file that can be read at any place: the file itself when it is not compressed, otherwise a
// temporary one, which Close removes.
func (f *File) Whole() (at io.ReaderAt, size int64, err error) {
	if f.Again() && !f.Compressed {
		f.read.Store(0)
		return &counted{f}, f.Size, nil
	}
	spool, err := os.CreateTemp("", "sqlfdb-import-*")
	if err != nil {
		return nil, 0, err
	}
	f.after = append(f.after, func() {
		_ = spool.Close()
		_ = os.Remove(spool.Name())
	})
	size, err = io.Copy(spool, f.Reader)
	return spool, size, err
}

// Close closes the file; standard input stays open.
func (f *File) Close() error {
	for _, do := range f.after {
		do()
	}
	f.after = nil
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// counted is a file that is read at any place.
type counted struct{ f *File }

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.f.file.ReadAt(p, at)
	c.f.read.Add(int64(n))
	return n, err
}

type counter atomic.Int64

func (c *counter) Write(p []byte) (int, error) {
	(*atomic.Int64)(c).Add(int64(len(p)))
	return len(p), nil
}

// Expand replaces patterns of files by the files, in their order. A name that is a file's stays as it is.
func Expand(names []string) ([]string, error) {
	var out []string
	stdin := false
	for _, name := range names {
		if name == Stdin {
			if stdin {
				return nil, errors.New("standard input is named twice")
			}
			stdin = true
		}
		if _, err := os.Lstat(name); err == nil || !strings.ContainsAny(name, "*?[") {
			out = append(out, name)
			continue
		}
		found, err := filepath.Glob(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no file has such a name", name)
		}
		out = append(out, found...)
	}
	return out, nil
}

// isFolder is the error for a folder, which explains how to name its files.
func isFolder(name string) error {
	for _, pattern := range []string{"*.bson", "*.bson.gz", "*.jsonl", "*.ndjson", "*.json", "*.csv",
		"*.parquet", "*.json.gz"} {
		if found, err := filepath.Glob(filepath.Join(name, pattern)); err == nil && len(found) > 0 {
			return fmt.Errorf("%s: %w: name its files, as %s", name, ErrFolder, filepath.Join(name, pattern))
		}
	}
	return fmt.Errorf("%s: %w: name its files", name, ErrFolder)
}

// ErrFolder: a folder where a file is wanted.
var ErrFolder = errors.New("a folder")
