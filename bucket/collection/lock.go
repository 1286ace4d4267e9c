package collection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// format is the format of the objects writer and catalog.
const format = 1

// intent is the object writer: its token, and all that is to be written.
type intent struct {
	Format int    `json:"format"`
	Token  string `json:"token"` // different each time, so that no two states of the object are alike
	Idle   bool   `json:"idle"`  // nobody writes
	// Mark stands behind the text in the files of a write of several documents. It distinguishes them from files in
	// which another writer has written the same text.
	Mark string `json:"mark,omitempty"`
	// Writes are of one Write.
	Writes []write `json:"writes,omitempty"`
	// Create and Drop are of an index that is made or dropped.
	Create *layout.Index `json:"create,omitempty"`
	Drop   *layout.Index `json:"drop,omitempty"`
}

// write is one document's change. A document that is not there has no text.
type write struct {
	ID   string  `json:"id"`
	Old  *string `json:"old"`
	ETag string  `json:"etag,omitempty"` // of the old one
	New  *string `json:"new"`
}

// writer is this process's state of the object writer.
type writer struct {
	etag     string    // its ETag, if this process was the last to write it; else empty
	mine     bool      // it is in this process's hands
	since    time.Time // when it got there, or a little before
	long     *intent   // long work, whose object is renewed
	repairs  bool      // all entries will be written, so that only the documents of a lost writer's work are done
	lingerer *time.Timer
}

// token returns a new token, which begins with this process's name.
func (c *Collection) token() string { return c.process + " " + uuid.NewString() }

// own reports whether a write is this process's. Then only the holder of the turn works on it.
func (c *Collection) own(in intent) bool { return strings.HasPrefix(in.Token, c.process+" ") }

// enter waits until nobody else of this process writes.
func (c *Collection) enter(ctx context.Context) error {
	select {
	case <-c.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := c.again(ctx); err != nil {
		c.leave()
		return err
	}
	return nil
}

// again goes on as the writer that this process may have been, when nothing of before can still be carried out.
func (c *Collection) again(ctx context.Context) error {
	if c.writer.lingerer != nil {
		c.writer.lingerer.Stop()
		c.writer.lingerer = nil
	}
	return sleep(ctx, c.dubious())
}

func (c *Collection) leave() { c.turn <- struct{}{} }

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// doubt notes a failure after which something may still be carried out.
func (c *Collection) doubt(err error) error {
	if err != nil && !store.Refused(err) && c.o.Late > 0 {
		c.doubts.Store(time.Now().Add(c.o.Late).UnixNano())
	}
	return err
}

// dubious is how long requests without an answer may still be carried out.
func (c *Collection) dubious() time.Duration { return time.Until(time.Unix(0, c.doubts.Load())) }

// place makes in the object writer, whose state is known to be etag, or absent.
func (c *Collection) place(ctx context.Context, in intent, etag string) error {
	in.Format = format
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	cond := store.Condition{Match: etag, Absent: etag == ""}
	c.writer.since = time.Now()
	for attempt := 1; ; attempt++ {
		got, err := c.st.Put(ctx, c.name.Writer(), body, cond)
		if err != nil && (!store.Refused(err) || attempt > 1 && errors.Is(err, store.ErrPrecondition)) {
			// It may be there nevertheless.
			c.doubt(err)
			now, obj, readErr := c.readWriter(ctx)
			if readErr == nil && now.Token == in.Token {
				got, err = obj.ETag, nil
			} else if readErr == nil && obj.ETag == etag && attempt < 4 {
				continue
			}
		}
		c.writer.mine = err == nil && !in.Idle
		c.writer.etag = ""
		if err == nil {
			c.writer.etag = got
		}
		return err
	}
}

// readWriter reads the object writer; without an ETag if there is none.
func (c *Collection) readWriter(ctx context.Context) (intent, store.Object, error) {
	obj, err := c.st.Get(ctx, c.name.Writer(), "")
	if errors.Is(err, store.ErrNotFound) {
		return intent{Idle: true}, store.Object{}, nil
	}
	if err != nil {
		return intent{}, obj, err
	}
	var in intent
	if err := json.Unmarshal(obj.Body, &in); err != nil {
		return in, obj, fmt.Errorf("%s: %w", c.name.Writer(), err)
	}
	if in.Format != format {
		return in, obj, fmt.Errorf("%s: format %d is not known here", c.name.Writer(), in.Format)
	}
	return in, obj, nil
}

// acquire becomes the writer with in. It waits for others, and finishes the work of lost writers.
func (c *Collection) acquire(ctx context.Context, in *intent) error {
	in.Token = c.token()
	if c.writer.etag != "" { // this process was the last to write, as far as it knows
		if err := c.place(ctx, *in, c.writer.etag); !errors.Is(err, store.ErrPrecondition) {
			return err
		}
	}
	deadline := time.Now().Add(c.o.Wait)
	for attempt := 0; ; attempt++ {
		now, obj, err := c.readWriter(ctx)
		if err != nil {
			return err
		}
		switch {
		case now.Idle:
			if obj.ETag == "" { // the first write of all
				if err := store.Probe(ctx, c.st, c.name.Probe()); err != nil {
					return err
				}
			}
			err = c.place(ctx, *in, obj.ETag)
			if !errors.Is(err, store.ErrPrecondition) {
				return err
			}
		case obj.Age >= c.o.TakeOver || c.own(now):
			err := c.takeOver(ctx, now, obj.ETag)
			if errors.Is(err, ErrUnfinished) || err != nil && !errors.Is(err, store.ErrPrecondition) {
				return err
			}
			if err == nil {
				if err = c.again(ctx); err != nil {
					return err
				}
				if c.writer.repairs && now.Writes != nil {
					// The lost writer's entries are not written, so its work stays in the object.
					in.Writes, in.Mark = now.Writes, now.Mark
				}
				err = c.place(ctx, *in, c.writer.etag)
			}
			if errors.Is(err, ErrUnfinished) || !errors.Is(err, store.ErrPrecondition) {
				return err
			}
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w: %s", ErrBusy, c)
		}
		wait := min(time.Duration(10<<min(attempt, 7))*time.Millisecond, time.Second)
		if err := sleep(ctx, wait/2+rand.N(wait)); err != nil {
			return err
		}
	}
}

// takeOver becomes the writer in the place of a lost one, and finishes its work.
func (c *Collection) takeOver(ctx context.Context, in intent, etag string) error {
	in.Token = c.token()
	if err := c.place(ctx, in, etag); err != nil {
		return err
	}
	return c.finish(ctx, in, false)
}

// Recover finishes the work of a lost writer, if there is one, without waiting for others.
func (c *Collection) Recover(ctx context.Context) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.leave()
	now, obj, err := c.readWriter(ctx)
	if err != nil || now.Idle || obj.Age < c.o.TakeOver && !c.own(now) {
		return err
	}
	err = c.takeOver(ctx, now, obj.ETag)
	if errors.Is(err, store.ErrPrecondition) && !errors.Is(err, ErrUnfinished) {
		return nil // another has done it
	}
	return err
}

// finish does the work in the object writer, and gives the object up. Once the work has begun, the end of ctx does
// not end it, but lasting failures do; before, both give it up. own is for the writer itself: it gets an error if a
// document is not as expected. A process that takes over does not know whether the work had begun.
func (c *Collection) finish(ctx context.Context, in intent, own bool) error {
	until := c.writer.since.Add(c.o.Hold)
	if in.Create != nil || in.Drop != nil { // this work is renewed
		until = until.Add(24 * time.Hour)
		c.writer.long = &in
		defer func() { c.writer.long = nil }()
	}
	late := context.WithoutCancel(ctx)
	ctx, cancel := context.WithDeadline(late, until)
	defer cancel()
	p := progress{own: own, begun: in.Create != nil || in.Drop != nil}
	var err error
	for attempt := range 6 {
		switch {
		case in.Create != nil:
			err = c.cleanIndex(ctx, *in.Create)
		case in.Drop != nil:
			err = c.dropIndex(ctx, *in.Drop)
		default:
			err = c.perform(ctx, in.Writes, in.Mark, &p)
		}
		if err == nil {
			if c.writer.repairs && in.Writes != nil {
				return nil
			}
			_ = c.release(ctx) // it is done; if this request fails, the next writer finds that out
			if own && p.foreign {
				return fmt.Errorf("%w by a program that keeps to no rules, while it was written", ErrChanged)
			}
			return nil
		}
		if errors.Is(err, errLost) {
			return err
		}
		if ctx.Err() != nil || lasting(err) || sleep(ctx, rand.N(c.o.Pause<<attempt)) != nil {
			break
		}
	}
	if own && !p.begun && c.giveUp(late) == nil {
		return err
	}
	c.writer.mine, c.writer.etag = false, ""
	return fmt.Errorf("%w: %w", ErrUnfinished, err)
}

// giveUp removes work that has not begun from the object writer, since otherwise the next writer would do it. The
// request has a condition, so it is safe at any time.
func (c *Collection) giveUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.o.Hold)
	defer cancel()
	return c.place(ctx, intent{Token: c.token(), Idle: true}, c.writer.etag)
}

// lasting reports whether trying again is of no use.
func lasting(err error) bool {
	return errors.Is(err, ErrExists) || errors.Is(err, ErrChanged) || errors.Is(err, ErrEntryFull) ||
		errors.Is(err, ErrDocument)
}

// Hold does some work while nobody else writes, here or elsewhere. Long work calls renew between its parts, and ends
// if that fails: another has begun to write. The known indexes are current meanwhile. It fails as Write does.
func (c *Collection) Hold(ctx context.Context, work func(renew func(context.Context) error) error) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.leave()
	in := intent{}
	if err := c.acquire(ctx, &in); err != nil {
		return err
	}
	c.writer.long = &in
	defer func() { c.writer.long = nil }()
	err := c.readCatalog(ctx)
	if err == nil && !c.inCatalog() {
		_, err = c.adopt(ctx)
	}
	if err == nil {
		err = work(c.renew)
	}
	if errors.Is(err, errLost) {
		return err
	}
	return errors.Join(err, c.release(ctx))
}

// release gives the object writer up: at once, or when nothing is written for a while.
func (c *Collection) release(ctx context.Context) error {
	late := c.dubious()
	if c.o.Linger < 0 && late <= 0 {
		return c.place(ctx, intent{Token: c.token(), Idle: true}, c.writer.etag)
	}
	c.writer.lingerer = time.AfterFunc(max(c.o.Linger, late), func() {
		ctx, cancel := context.WithTimeout(context.Background(), c.o.Hold)
		defer cancel()
		c.Flush(ctx)
	})
	return nil
}

// Flush gives the object writer up if this process has it, so that others need not wait.
func (c *Collection) Flush(ctx context.Context) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.leave()
	if !c.writer.mine || c.writer.etag == "" {
		return nil
	}
	return c.place(ctx, intent{Token: c.token(), Idle: true}, c.writer.etag)
}
