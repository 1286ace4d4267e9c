// Package fdbserver starts FoundationDB servers for tests: one process on a free
// loopback port, with its data in a directory of the caller's. It needs fdbserver and fdbcli on
// the PATH and nothing of the client library.
package fdbserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ErrMissing: fdbserver or fdbcli is not on the PATH.
var ErrMissing = errors.New("FoundationDB is not installed: fdbserver and fdbcli are not on the PATH")

// patience is how long a new cluster may take to answer.
const patience = 2 * time.Minute

// Cluster is a cluster of one process.
type Cluster struct {
	// File is the path of its cluster file.
	File string

	dir, address string
	listens      string // where the process listens, if its address leads there through a proxy
	process      *exec.Cmd
	ended        chan struct{}
	output       bytes.Buffer // of the process; read once ended is closed
}

// Start makes a new, empty cluster in a directory and waits until it serves. engine is
// FoundationDB's name of a storage engine: memory or ssd.
func Start(ctx context.Context, dir, engine string) (*Cluster, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	return StartAt(ctx, dir, engine, address, address)
}

// FreeAddress is one that nobody listens at.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("fdbserver: a free port: %w", err)
	}
	if err := listener.Close(); err != nil {
		return "", fmt.Errorf("fdbserver: a free port: %w", err)
	}
	return listener.Addr().String(), nil
}

// StartAt is Start of a cluster that clients reach at an address, from where a proxy passes
// them on to where the process listens.
func StartAt(ctx context.Context, dir, engine, address, listens string) (*Cluster, error) {
	for _, name := range []string{"fdbserver", "fdbcli"} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("%w (%w)", ErrMissing, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := &Cluster{File: filepath.Join(dir, "fdb.cluster"), dir: dir, address: address, listens: listens}
	if err := os.WriteFile(c.File, []byte("test:test@"+c.address+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("fdbserver: %w", err)
	}
	if err := c.Restart(); err != nil {
		return nil, err
	}
	if _, err := c.Command(ctx, "configure new single "+engine); err != nil {
		return nil, errors.Join(err, c.Kill())
	}
	return c, nil
}

// Restart starts the process after Kill, on the data that it had, with more arguments if there are any.
func (c *Cluster) Restart(more ...string) error {
	c.output.Reset()
	c.process = exec.Command("fdbserver", append([]string{"-p", c.address, "-l", c.listens, "-C", c.File,
		"-d", filepath.Join(c.dir, "data"), "-L", filepath.Join(c.dir, "logs")}, more...)...)
	c.process.Stdout, c.process.Stderr = &c.output, &c.output
	for _, name := range []string{"data", "logs"} {
		if err := os.MkdirAll(filepath.Join(c.dir, name), 0o700); err != nil {
			return fmt.Errorf("fdbserver: %w", err)
		}
	}
	if err := c.process.Start(); err != nil {
		return fmt.Errorf("fdbserver: %w", err)
	}
	c.ended = make(chan struct{})
	go func(process *exec.Cmd, ended chan struct{}) {
		_ = process.Wait() // it is killed
		close(ended)
	}(c.process, c.ended)
	return nil
}

// Kill ends the process at once, as a crash does.
func (c *Cluster) Kill() error {
	if err := c.process.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("fdbserver: %w", err)
	}
	<-c.ended
	return nil
}

// Signal sends the process a signal, as SIGSTOP and SIGCONT.
func (c *Cluster) Signal(s os.Signal) error {
	if err := c.process.Process.Signal(s); err != nil {
		return fmt.Errorf("fdbserver: %w", err)
	}
	return nil
}

// Command runs a command of fdbcli and returns its output.
func (c *Cluster) Command(ctx context.Context, command string) (string, error) {
	out, err := exec.CommandContext(ctx, "fdbcli", "-C", c.File, "--timeout", fmt.Sprint(int(patience.Seconds())),
		"--exec", command).CombinedOutput()
	if err == nil {
		return string(out), nil
	}
	select {
	case <-c.ended:
		return "", fmt.Errorf("fdbserver: it has ended: %s", c.output.String())
	default:
		return "", fmt.Errorf("fdbserver: fdbcli %q: %w: %s", command, err, out)
	}
}
