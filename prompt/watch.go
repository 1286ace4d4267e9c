package prompt

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// watch looks after a statement that runs: Ctrl-C ends it, and beyond a second a line says how far it has come.
type watch struct {
	shell *shell
	began time.Time
	read  time.Duration // that a pager held the rows up
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu     sync.Mutex
	silent bool // rows are shown
	line   bool // one stands there
}

const (
	firstLine = time.Second
	nextLine  = 500 * time.Millisecond
	clearLine = "\r\x1b[K"
)

// watch begins to watch a statement, for Ctrl-C and for lines on its progress. It does so only at a terminal.
func (s *shell) watch() *watch {
	ctx, stop := context.WithCancel(context.Background())
	w := &watch{shell: s, began: time.Now(), stop: stop}
	if !s.typed {
		return w
	}
	for len(s.killed) > 0 {
		<-s.killed // it was meant for an earlier statement
	}
	w.done.Add(2)
	go w.killer(ctx)
	go w.reporter(ctx)
	return w
}

// took is the statement's time in words, without the time in which a person read the pager.
func (w *watch) took() string {
	return fmt.Sprintf("(%.3f s)", (time.Since(w.began) - w.read).Seconds())
}

// killer ends the statement at Ctrl-C. The session goes on; where the server does not answer, the third one leaves.
func (w *watch) killer(ctx context.Context) {
	defer w.done.Done()
	for times := 1; ; times++ {
		select {
		case <-ctx.Done():
			return
		case <-w.shell.killed:
		}
		w.tell("^C: the statement is being ended")
		if err := w.shell.kill(); err != nil {
			w.tell(fmt.Sprintf("it could not be ended: %v", err))
		}
		if times >= 3 {
			fmt.Fprintln(w.shell.Out, "\nthe server does not answer: left")
			os.Exit(1)
		}
	}
}

func (w *watch) reporter(ctx context.Context) {
	defer w.done.Done()
	next := time.NewTimer(firstLine)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		text := fmt.Sprintf("running for %.0f s", time.Since(w.began).Seconds())
		if keys, documents, ok := w.shell.work(ctx); ok && keys+documents > 0 {
			text += fmt.Sprintf(", %d keys and %d documents read", keys, documents)
		}
		w.tell(text + "; Ctrl-C ends it")
		next.Reset(nextLine)
	}
}

// tell shows a line in place of the line before.
func (w *watch) tell(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.silent {
		if places := w.shell.screen().width; places > 1 {
			text = broken(text, places-1)[0]
		}
		fmt.Fprint(w.shell.Out, clearLine+text)
		w.line = true
	}
}

// quiet takes the line away, and shows none any more.
func (w *watch) quiet() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = true
	if w.line {
		fmt.Fprint(w.shell.Out, clearLine)
		w.line = false
	}
}

// end is called when the statement is over.
func (w *watch) end() {
	w.quiet()
	w.stop()
	w.done.Wait()
}
