package collection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

// Change is the change of one document.
type Change struct {
	ID  string
	Old *Doc               // as it was read; nil if it must not be there
	New *document.Document // nil to delete it
}

// Write makes all changes or none, and returns when the documents are written. Others may see some of them before.
//
// store.ErrUnconditional, ErrExists, ErrChanged, ErrDocument, ErrEntryFull, ErrTooLarge, layout.ErrName and ErrBusy
// leave everything as it was. After ErrUnfinished the next writer makes the changes that are not made. After another
// error they may be made or not.
func (c *Collection) Write(ctx context.Context, changes []Change) error {
	return c.WriteIf(ctx, changes, func(context.Context) error { return nil })
}

// WriteIf is Write with a check while nobody else can write: an error of holds leaves everything as it was. After a
// crash during the check the changes may still be made.
func (c *Collection) WriteIf(ctx context.Context, changes []Change, holds func(context.Context) error) error {
	if len(changes) == 0 {
		return nil
	}
	in, err := intentOf(changes)
	if err != nil {
		return err
	}
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.leave()
	if err := c.acquire(ctx, &in); err != nil {
		return err
	}
	if err := holds(ctx); err != nil {
		return errors.Join(err, c.giveUp(ctx))
	}
	return c.finish(ctx, in, true)
}

func intentOf(changes []Change) (intent, error) {
	var in intent
	if len(changes) > MaxChanges {
		return in, fmt.Errorf("%w: %d documents, over %d", ErrTooLarge, len(changes), MaxChanges)
	}
	seen := make(map[string]bool, len(changes))
	size := 0
	for _, ch := range changes {
		if seen[ch.ID] {
			return in, fmt.Errorf("collection: %q is changed twice in one write", ch.ID)
		}
		seen[ch.ID] = true
		w := write{ID: ch.ID}
		if ch.Old != nil {
			text := ch.Old.Body.Text()
			w.Old, w.ETag = &text, ch.Old.ETag
			size += len(text)
		}
		if ch.New != nil {
			if err := layout.CheckID(ch.ID); err != nil {
				return in, err
			}
			if id, ok := ch.New.Member(layout.ID); !ok || id.Type() != document.TypeString || id.Str() != ch.ID {
				return in, fmt.Errorf("%w: the _id of %q is another", ErrDocument, ch.ID)
			}
			text := ch.New.Text()
			w.New = &text
			size += len(text)
		}
		in.Writes = append(in.Writes, w)
	}
	if len(in.Writes) > 1 {
		in.Mark = newMark()
	}
	if size > maxWrite {
		return in, fmt.Errorf("%w: %d bytes, over %d", ErrTooLarge, size, maxWrite)
	}
	return in, nil
}

// newMark returns white space that differs each time: 32 random bits.
func newMark() string {
	mark := make([]byte, 32)
	n := rand.Uint32()
	for i := range mark {
		mark[i] = " \t"[n>>i&1]
	}
	return string(mark)
}

// state is a write under way.
type state struct {
	write
	old    *document.Document // the document that the entries are of, by the intent
	now    *Doc               // the present document
	target *document.Document // the document at the end
	todo   bool               // the document is to be written

	content []byte // of the document's file when it is written
	foreign bool   // somebody else has written the present document
	broken  error  // why the present file is no document
}

func parsed(text *string) (*document.Document, error) {
	if text == nil {
		return nil, nil
	}
	d, err := document.DocumentFromCompact([]byte(*text))
	return &d, err
}

// progress is the state of some work.
type progress struct {
	own     bool // it is the caller's own work, whose end it waits for
	begun   bool // something may have been changed
	foreign bool // a document was not as it should be after that
}

// perform makes writes, or the rest of them: it may be called again after any failure. This process must hold the
// object writer.
func (c *Collection) perform(ctx context.Context, writes []write, mark string, p *progress) error {
	states := make([]state, len(writes))
	for i, w := range writes {
		s := state{write: w}
		var err error
		if s.old, err = parsed(w.Old); err != nil {
			return err
		}
		if s.target, err = parsed(w.New); err != nil {
			return err
		}
		if w.New != nil {
			s.content = append([]byte(*w.New), mark+"\n"...)
		}
		states[i] = s
	}
	// Documents and catalog are read in one round, and with them the entries of the known indexes, which most likely are
	// current.
	ed := &edits{c: c, files: map[string]*edit{}}
	var guess []*edit
	if !c.writer.repairs {
		guess = ed.collect(states, c.kept())
	}
	err := c.each(ctx, 1+len(states)+len(guess), func(ctx context.Context, i int) error {
		switch {
		case i == 0:
			return c.readCatalog(ctx)
		case i <= len(states):
			var err error
			s := &states[i-1]
			if s.now, err = c.read(ctx, s.ID); errors.Is(err, ErrDocument) {
				s.broken, err = err, nil
			}
			return err
		}
		return guess[i-1-len(states)].read(ctx, c)
	})
	if err != nil {
		return err
	}
	if !c.inCatalog() { // the first write; Sengo may have made indexes lately
		if _, err := c.adopt(ctx); err != nil {
			return err
		}
	}
	if err := settle(states, p); err != nil {
		return err
	}
	if !c.writer.repairs {
		ed.more(states)
		if err := ed.load(ctx, p.own && !p.begun); err != nil {
			return err
		}
		if err := ed.find(ctx); err != nil {
			return err
		}
	}
	if err := c.learn(ctx, states); err != nil {
		return err
	}
	p.begun = true
	if err := ed.put(ctx, before); err != nil {
		return err
	}
	err = c.each(ctx, len(states), func(ctx context.Context, i int) error { return c.writeDocument(ctx, &states[i]) })
	if err != nil {
		return err
	}
	return ed.put(ctx, after)
}

// settle decides which documents are written.
func settle(states []state, p *progress) error {
	fresh := p.own && !p.begun
	done, foreign := 0, 0
	for i := range states {
		s := &states[i]
		is := s.now != nil
		switch {
		case s.broken != nil && fresh:
			return s.broken
		case s.broken != nil:
			foreign++
			s.foreign = true
		case !is && s.Old == nil, is && s.Old != nil && s.now.ETag == s.ETag:
			s.todo = true
		case fresh && s.Old == nil:
			return fmt.Errorf("%w: %s", ErrExists, s.ID)
		case fresh:
			return fmt.Errorf("%w: %s", ErrChanged, s.ID)
		case !is && s.New == nil:
			// It is gone, by whomever: that proves nothing.
		case is && s.New != nil && bytes.Equal(s.now.file, s.content):
			done++
		default:
			foreign++
			s.foreign = true
		}
	}
	p.foreign = p.foreign || foreign > 0
	// If a document is not as the write expects, and none is written, the write has not begun: its writer would have
	// found that. Otherwise a program that keeps to no rules has changed a document meanwhile: that change stays.
	abandoned := foreign > 0 && done == 0 && !p.own
	for i := range states {
		if s := &states[i]; s.foreign || abandoned {
			s.todo, s.target = false, nil
			if s.now != nil {
				s.target = &s.now.Body
			}
		}
	}
	return nil
}

func (c *Collection) writeDocument(ctx context.Context, s *state) error {
	if !s.todo {
		return nil
	}
	file := c.name.Document(s.ID)
	cond := store.Condition{Match: s.ETag, Absent: s.Old == nil}
	if s.New == nil {
		return c.doubt(c.st.Delete(ctx, file, cond))
	}
	_, err := c.st.Put(ctx, file, s.content, cond)
	return c.doubt(err)
}
