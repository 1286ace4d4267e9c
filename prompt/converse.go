package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/peterh/liner"
)

// greeting is the first text that a person reads.
const greeting = `Connected to %s as connection %d. Statements end with a semicolon.
Type \? for help, \q or Ctrl-D to leave; Tab completes, Ctrl-R searches what was typed.

`

// converse asks for statements until the person leaves.
func (s *shell) converse(ctx context.Context) error {
	s.killed = make(chan os.Signal, 8)
	signal.Notify(s.killed, os.Interrupt)
	defer signal.Stop(s.killed)
	editor := liner.NewLiner()
	defer editor.Close()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ended)
	go func() {
		if _, ok := <-ended; ok {
			_ = editor.Close() // the terminal is as it was
			os.Exit(1)
		}
	}()
	editor.SetCtrlCAborts(true)
	editor.SetMultiLineMode(true)
	editor.SetTabCompletionStyle(liner.TabPrints)
	history := openHistory(s.History)
	for _, line := range history.lines {
		editor.AppendHistory(line)
	}
	var read splitter
	editor.SetWordCompleter(func(line string, pos int) (string, []string, string) {
		runes := []rune(line)
		head, list := s.complete(ctx, read.text, string(runes[:pos]), string(runes[pos:]))
		return head, list, string(runes[pos:])
	})
	fmt.Fprintf(s.Out, greeting, s.server(), s.id)
	for {
		line, err := editor.Prompt(s.asking(&read))
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			read = splitter{}
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.Out)
			return nil
		case err != nil:
			return err
		}
		if !read.pending() {
			read = splitter{}
			text, c, ok := parseCommand(line)
			if ok {
				history.add(editor, line)
				if c.leaves {
					return nil
				}
				if err := s.command(ctx, c, text); err != nil {
					s.tellError(ctx, err)
				}
				continue
			}
		}
		if strings.TrimSpace(line) == `\c` {
			read = splitter{}
			continue
		}
		before := read.text
		pieces := read.add(line + "\n")
		if len(pieces) > 0 {
			history.add(editor, before+line)
		}
		for _, p := range pieces {
			if s.session == nil && !s.reconnect(ctx) {
				break
			}
			if err := s.run(ctx, p); err != nil {
				s.tellError(ctx, err)
			}
		}
	}
}

// server is the server's name for itself, and its address.
func (s *shell) server() string {
	if strings.HasSuffix(s.version, "-sqlfdb") {
		return "sqlfdb at " + s.config.Addr
	}
	return s.version + " at " + s.config.Addr
}

// asking is the prompt: the database, or a sign that a statement goes on.
func (s *shell) asking(read *splitter) string {
	name := s.database
	if name == "" {
		name = "sqlfdb"
	}
	if !read.pending() {
		return name + "> "
	}
	sign := "->"
	if read.in != 0 {
		sign = string(read.in) + ">"
	}
	return strings.Repeat(" ", max(0, width(name)-1)) + sign + " "
}

// tellError prints an error, and restores a lost connection.
func (s *shell) tellError(ctx context.Context, err error) {
	fmt.Fprintln(s.Out, Describe(err, ""))
	if lost(err) {
		fmt.Fprintln(s.Out, "The connection is lost, and the statement is not run again.")
		s.reconnect(ctx)
		return
	}
	fmt.Fprintln(s.Out)
}

// reconnect restores a lost connection, and prints what is lost with it.
func (s *shell) reconnect(ctx context.Context) bool {
	if err := s.again(ctx); err != nil {
		fmt.Fprintf(s.Out, "%s\nThe next statement tries again.\n\n", Describe(err, ""))
		return false
	}
	fmt.Fprintf(s.Out, "Connected again, as connection %d. "+
		"Variables, temporary tables and an open transaction are gone.\n\n", s.id)
	return true
}
