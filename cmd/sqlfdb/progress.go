package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/sqlfdb/sqlfdb/transfer"
)

// progress shows the progress of some work: a bar on a terminal, a line every few seconds
// elsewhere.
type progress struct {
	out    io.Writer
	size   int64 // of the whole; -1 when unknown
	read   func() int64
	counts func() string // the words on what is done, and how fast
	began  time.Time
	bar    *mpb.Bar
	bars   *mpb.Progress
	stop   chan struct{}
	done   sync.WaitGroup
	mu     sync.Mutex
}

const (
	barInterval  = 100 * time.Millisecond
	lineInterval = 5 * time.Second
)

// newProgress shows an import.
func newProgress(out io.Writer, files *transfer.Files, p *transfer.Progress) *progress {
	return startProgress(out, files.Size, files.BytesRead, func() string {
		n := p.Stored.Load()
		took := max(time.Since(p.Began).Seconds(), 0.001)
		return fmt.Sprintf("%d documents, %s, %.0f documents/s", n, humanBytes(p.Bytes.Load()), float64(n)/took)
	})
}

// startProgress shows counts, and how much of size has been read.
func startProgress(out io.Writer, size int64, read func() int64, counts func() string) *progress {
	s := &progress{out: out, size: size, read: read, counts: counts, began: time.Now(), stop: make(chan struct{})}
	interval := lineInterval
	if isTerminal(out) {
		interval = barInterval
		s.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
		s.bar = s.bars.AddBar(max(size, 0),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return s.counts() })),
			mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Any(func(decor.Statistics) string { return s.left() })))
	}
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-s.stop:
				return
			case <-tick.C:
				s.show()
			}
		}
	}()
	return s
}

func (s *progress) show() {
	if s.bar != nil {
		s.bar.SetCurrent(s.read())
		return
	}
	s.line(s.counts() + s.left())
}

// left is the time that the rest of the file will take at the rate so far.
func (s *progress) left() string {
	read := s.read()
	if s.size <= 0 || read == 0 {
		return ""
	}
	left := time.Duration(float64(time.Since(s.began)) * float64(max(0, s.size-read)) / float64(read))
	return fmt.Sprintf(", %s left", left.Round(time.Second))
}

// line writes a line without disturbing the bar.
func (s *progress) line(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bars != nil {
		_, _ = s.bars.Write([]byte(text + "\n"))
		return
	}
	fmt.Fprintln(s.out, text)
}

// end stops showing.
func (s *progress) end() {
	close(s.stop)
	s.done.Wait()
	if s.bar != nil {
		s.bar.SetCurrent(s.read())
		s.bar.Abort(false)
		s.bars.Wait()
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func humanBytes(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, exp := float64(n)/unit, 0
	for value >= unit && exp < 4 {
		value /= unit
		exp++
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTP"[exp])
}
