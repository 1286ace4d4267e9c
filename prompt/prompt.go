package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-sql-driver/mysql"
	"golang.org/x/term"
)

// ErrReported: the error has been printed already.
var ErrReported = errors.New("failed")

// Options are the settings of Run.
type Options struct {
	Server *mysql.Config
	// Execute are the statements to run; empty: the statements of In.
	Execute string
	Format  Format
	// Force goes on behind a statement that fails.
	Force    bool
	In       io.Reader
	Out, Err io.Writer
	// History is the file of the statements that were typed; empty: none is kept.
	History string
}

// shell reads statements and runs them.
type shell struct {
	Options
	*connection
	typed  bool // by a person, on a terminal
	timing bool
	paged  bool
	names  names
	killed chan os.Signal
}

// Run runs statements to the end: of Execute, of a pipe, or of what a person types.
func Run(ctx context.Context, opts Options) error {
	s := &shell{Options: opts, timing: true, paged: true}
	s.typed = opts.Execute == "" && isTerminal(opts.In) && isTerminal(opts.Out)
	if opts.Format == "" {
		s.Format = Table
	}
	server := opts.Server.Clone()
	server.Logger = &mysql.NopLogger{} // the prompt prints errors itself
	var err error
	if s.connection, err = connect(ctx, server); err != nil {
		return err
	}
	defer s.close()
	if s.typed {
		return s.converse(context.WithoutCancel(ctx))
	}
	if opts.Execute != "" {
		return s.batch(ctx, oneText(opts.Execute))
	}
	return s.batch(ctx, lineChunks(opts.In))
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// screen describes the screen that the output is shown on.
func (s *shell) screen() screen {
	file, ok := s.Out.(*os.File)
	if !ok || !isTerminal(s.Out) {
		return screen{}
	}
	places, _, err := term.GetSize(int(file.Fd()))
	if err != nil || places <= 0 {
		return screen{}
	}
	return screen{width: places, colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func oneText(text string) func() (string, error) {
	done := false
	return func() (string, error) {
		if done {
			return "", io.EOF
		}
		done = true
		return text + "\n", nil
	}
}

// chunk is how much of a pipe is read at a time, and then up to the end of a line.
const chunk = 64 << 10

func lineChunks(in io.Reader) func() (string, error) {
	buffer, kept := make([]byte, chunk), ""
	return func() (string, error) {
		for {
			n, err := in.Read(buffer)
			text := kept + string(buffer[:n])
			kept = ""
			if err != nil {
				if text != "" && errors.Is(err, io.EOF) {
					return text + "\n", err
				}
				return text, err
			}
			end := lastLine(text)
			if end > 0 {
				kept = text[end:]
				return text[:end], nil
			}
			kept = text
		}
	}
}

func lastLine(text string) int {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '\n' {
			return i + 1
		}
	}
	return 0
}

// batch runs the statements of a pipe. It ends at the first statement that fails, unless it is to go on.
func (s *shell) batch(ctx context.Context, next func() (string, error)) error {
	var read splitter
	failed := false
	for {
		text, readErr := next()
		pieces := read.add(text)
		if readErr != nil {
			if p, ok := read.rest(); ok {
				pieces = append(pieces, p)
			}
		}
		for _, p := range pieces {
			err := s.run(ctx, p)
			if err == nil {
				continue
			}
			fmt.Fprintln(s.Err, Describe(err, fmt.Sprintf(" at line %d", p.line)))
			failed = true
			if !s.Force || ctx.Err() != nil || lost(err) {
				return ErrReported
			}
		}
		switch {
		case readErr == nil:
		case !errors.Is(readErr, io.EOF):
			return readErr
		case failed:
			return ErrReported
		default:
			return nil
		}
	}
}
