package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sqlfdb/sqlfdb/document"
)

// Sink stores documents. Its methods may be called by several goroutines.
type Sink interface {
	// Write stores the documents durably and returns for each why it was refused, or nil if it
	// was stored. An error means that the sink can't go on; then ErrNotStored stands for the
	// documents that are not stored, or perhaps are.
	Write(ctx context.Context, batch []Item) (refused []error, err error)
	// Workers is how many batches may be written at once.
	Workers() int
	// Stored reports whether a document may have been stored.
	Stored() bool
	Close() error
}

// NoSink is for imports without a document to store.
type NoSink struct{}

// Write refuses.
func (NoSink) Write(_ context.Context, batch []Item) ([]error, error) {
	return notStored(batch), ErrNotStored
}

// Workers is the least that an import needs.
func (NoSink) Workers() int { return 1 }

// Stored is false.
func (NoSink) Stored() bool { return false }

// Close does nothing.
func (NoSink) Close() error { return nil }

// Refusal is a document that was not stored.
type Refusal struct {
	Line   int64 // as Item has it
	Reason error
	Place  string // the file and where in it
}

// Documents gives documents one after the other, io.EOF at the end. Another error means that the rest can't be read.
type Documents interface {
	Next() (Item, error)
}

// ErrSkipped: a document whose key is there already, where such are left out.
var ErrSkipped = errors.New("its key is there already")

// Duplicates is the treatment of a document whose key is there already.
type Duplicates string

// The treatments of such a document.
const (
	RefuseDuplicates  Duplicates = "refuse"
	SkipDuplicates    Duplicates = "skip"    // the one that is there stays, without a refusal
	ReplaceDuplicates Duplicates = "replace" // the new one takes its place
)

// ParseDuplicates reads the name of one.
func ParseDuplicates(name string) (Duplicates, error) {
	switch d := Duplicates(name); d {
	case RefuseDuplicates, SkipDuplicates, ReplaceDuplicates:
		return d, nil
	}
	return "", fmt.Errorf("%q is not known: use refuse, skip or replace", name)
}

// ErrNotStored: the sink failed before it had an answer for the document.
var ErrNotStored = errors.New("not stored")

// notStored are the answers for a batch before any of it is written.
func notStored(batch []Item) []error {
	answers := make([]error, len(batch))
	for i := range answers {
		answers[i] = ErrNotStored
	}
	return answers
}

// ErrTooManyRefusals: the import was stopped by ImportOptions.MaxErrors.
var ErrTooManyRefusals = errors.New("too many documents were refused")

// Batch bounds: documents and bytes of text written at once.
const (
	batchDocuments = 500
	batchBytes     = 512 << 10
)

// ImportOptions are the settings of an Import.
type ImportOptions struct {
	// MaxErrors stops the import when more documents have been refused; negative
	// means never.
	MaxErrors int64
	// Refused is called for each refusal, by one goroutine at a time.
	Refused func(Refusal)
}

// Progress has the counts of an import so far. Its fields may be read at any time.
type Progress struct {
	Stored  atomic.Int64 // documents that are durable
	Refused atomic.Int64
	Skipped atomic.Int64 // documents whose key was there already
	Bytes   atomic.Int64 // bytes of text of the stored documents
	Began   time.Time
}

// Import stores every document of the source and counts in p. Refused documents
// don't hold up the others. On an error the documents counted as stored are stored.
func Import(ctx context.Context, src Documents, sink Sink, p *Progress, opts ImportOptions) error {
	p.Began = time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	batches := make(chan []Item, sink.Workers())
	var report sync.Mutex
	refuse := func(item Item, reason error) {
		report.Lock()
		defer report.Unlock()
		n := p.Refused.Add(1)
		if opts.Refused != nil {
			opts.Refused(Refusal{Line: item.Line, Reason: reason, Place: item.From.Place(item.Line)})
		}
		if opts.MaxErrors >= 0 && n > opts.MaxErrors {
			cancel(fmt.Errorf("transfer: %w: %d", ErrTooManyRefusals, n))
		}
	}
	var workers sync.WaitGroup
	for range sink.Workers() {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for batch := range batches {
				if ctx.Err() != nil {
					continue
				}
				refused, err := sink.Write(ctx, batch)
				for i, item := range batch {
					switch {
					case refused[i] == nil:
						p.Stored.Add(1)
						p.Bytes.Add(int64(item.Document.Len()))
					case errors.Is(refused[i], ErrSkipped):
						p.Skipped.Add(1)
					case !errors.Is(refused[i], ErrNotStored):
						refuse(item, refused[i])
					}
				}
				if err != nil {
					first, last := batch[0], batch[len(batch)-1]
					cancel(fmt.Errorf("transfer: %s to %s: %w", first.From.Place(first.Line), last.From.Place(last.Line), err))
				}
			}
		}()
	}
	readErr := feed(ctx, src, batches, refuse)
	close(batches)
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return readErr
}

// feed cuts the source into batches.
func feed(ctx context.Context, src Documents, batches chan<- []Item, refuse func(Item, error)) error {
	var batch []Item
	size := 0
	send := func() bool {
		if len(batch) == 0 {
			return true
		}
		select {
		case batches <- batch:
			batch, size = nil, 0
			return true
		case <-ctx.Done():
			return false
		}
	}
	for ctx.Err() == nil {
		item, err := src.Next()
		if err == io.EOF {
			send()
			return nil
		}
		if err != nil {
			send()
			return err
		}
		if item.Err != nil {
			refuse(item, item.Err)
			continue
		}
		batch = append(batch, item)
		size += item.Document.Len()
		if len(batch) >= batchDocuments || size >= batchBytes {
			if !send() {
				return nil
			}
		}
	}
	return nil
}

// texts are the documents of a batch.
func texts(batch []Item) []document.Document {
	out := make([]document.Document, len(batch))
	for i := range batch {
		out[i] = batch[i].Document
	}
	return out
}
