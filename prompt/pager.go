package prompt

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/term"
)

// errPagerLeft: the person has seen enough.
var errPagerLeft = errors.New("the pager has ended")

// pager shows results that are longer than the screen through $PAGER, or less if it is installed.
type pager struct {
	out     io.Writer
	height  int
	held    bytes.Buffer
	lines   int
	command *exec.Cmd
	in      io.WriteCloser
	waited  time.Duration // until the person has left the pager
}

func newPager(out io.Writer) *pager {
	p := &pager{out: out}
	if file, ok := out.(*os.File); ok {
		if _, height, err := term.GetSize(int(file.Fd())); err == nil {
			p.height = height
		}
	}
	return p
}

// pagerCommand is the program that shows long results, with arguments; nil if there is none.
func pagerCommand() []string {
	if words := strings.Fields(os.Getenv("PAGER")); len(words) > 0 {
		return words
	}
	if _, err := exec.LookPath("less"); err == nil {
		return []string{"less", "-RSFX"}
	}
	return nil
}

// spare is how many lines of the screen stay free for the lines behind a result, and for the next prompt.
const spare = 3

// Write implements io.Writer.
func (p *pager) Write(b []byte) (int, error) {
	if p.in != nil {
		defer p.waiting(time.Now())
		if _, err := p.in.Write(b); err != nil {
			return 0, errPagerLeft
		}
		return len(b), nil
	}
	p.lines += bytes.Count(b, []byte("\n"))
	p.held.Write(b)
	if p.height > 0 && p.lines <= p.height-spare {
		return len(b), nil
	}
	return len(b), p.start()
}

// start writes the held text to the pager, or to the screen if there is no pager.
func (p *pager) start() error {
	words := pagerCommand()
	if p.height == 0 || len(words) == 0 {
		p.height = 0
		_, err := p.held.WriteTo(p.out)
		return err
	}
	c := exec.Command(words[0], words[1:]...)
	c.Stdout, c.Stderr = p.out, os.Stderr
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		p.height = 0 // without it the rows go to the screen
		_, err := p.held.WriteTo(p.out)
		return err
	}
	p.command, p.in = c, in
	defer p.waiting(time.Now())
	if _, err := p.held.WriteTo(in); err != nil {
		return errPagerLeft
	}
	return nil
}

func (p *pager) waiting(since time.Time) { p.waited += time.Since(since) }

// close writes the held text to the screen, or waits until the pager is left.
func (p *pager) close() error {
	if p.command == nil {
		_, err := p.held.WriteTo(p.out)
		return err
	}
	defer p.waiting(time.Now())
	_ = p.in.Close()
	_ = p.command.Wait()
	return nil
}
