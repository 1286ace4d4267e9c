package hold

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// TestGate: statements with long texts and values go on one after the other where there is no room for all, and what
// waits for long ends.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProcess()
		p.SetLimit(1 << 30)
		ctx := context.Background()
		var inside []*Budget
		for range workShare { // as many as there is room for
			b := NewBudget(p)
			for _, enter := range []func() error{
				func() error { return b.EnterText(ctx, LongText-1) },
				func() error { return b.EnterValue(ctx, LargeWork) },
				func() error { return b.EnterFile(ctx, 64<<20) },
				func() error { return b.EnterValue(ctx, 60<<20) },
				func() error { return b.EnterText(ctx, 60<<20) },
			} {
				if err := enter(); err != nil {
					t.Fatal(err)
				}
			}
			inside = append(inside, b)
		}
		late := NewBudget(p)
		if err := late.EnterText(ctx, LongText-1); err != nil {
			t.Errorf("a short one: %v", err)
		}
		if err := late.EnterValue(ctx, 60<<20); !errors.Is(err, mysqlerr.ErrMemory) {
			t.Errorf("one more: %v", err)
		}
		killed, kill := context.WithTimeout(ctx, time.Second)
		defer kill()
		if err := late.EnterValue(killed, 60<<20); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("killed: %v", err)
		}
		if err := late.EnterFile(ctx, 2<<20); !errors.Is(err, mysqlerr.ErrMemory) {
			t.Errorf("a file: %v", err)
		}
		time.AfterFunc(time.Second, inside[0].Leave)
		if err := late.EnterFile(ctx, 2<<20); err != nil {
			t.Errorf("a file behind another one's end: %v", err)
		}
		began, other := time.Now(), NewBudget(p)
		if err := other.EnterValue(ctx, 30<<20); err != nil {
			t.Errorf("beside the file: %v", err)
		}
		if err := late.EnterFile(ctx, 60<<20); !errors.Is(err, mysqlerr.ErrMemory) || time.Since(began) > 0 {
			t.Errorf("the file grows: %v", err)
		}
		other.Close()
		inside[0] = other
		if err := late.EnterValue(ctx, 60<<20); err != nil {
			t.Errorf("behind another one's end: %v", err)
		}
		late.Close()
		inside[1].Close()
		if err := NewBudget(p).EnterValue(ctx, 60<<20); err != nil {
			t.Errorf("when sessions have gone: %v", err)
		}
	})
}

// TestPlanned: statements that sleep once they are planned leave room for others, unless their texts have many words.
func TestPlanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProcess()
		p.SetLimit(1 << 30)
		ctx := context.Background()
		for _, c := range []struct{ words, least, most int }{{10, 50, 100}, {500_000, 10, 20}} {
			var inside []*Budget
			for {
				b := NewBudget(p)
				if err := b.EnterText(ctx, 2<<20); err != nil {
					break
				}
				b.Planned(2<<20, func() int64 { return int64(c.words) })
				inside = append(inside, b)
			}
			if n := len(inside); n < c.least || n > c.most {
				t.Errorf("texts of %d words: %d at once", c.words, n)
			}
			for _, b := range inside {
				b.Close()
			}
		}
		b := NewBudget(p)
		if err := b.EnterText(ctx, 2<<20); err != nil {
			t.Fatal(err)
		}
		if err := b.EnterValue(ctx, 60<<20); err != nil {
			t.Fatal(err)
		}
		before := b.visit.inside
		if b.Planned(2<<20, func() int64 { return 1 }); b.visit.inside != before {
			t.Errorf("the room of a value: %d of %d", b.visit.inside, before)
		}
	})
}

// TestReceiving: what comes in has a bound, and is counted until it is run or its connection ends.
func TestReceiving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProcess()
		p.SetLimit(400 << 20)
		all := []*Receiving{{Of: p}, {Of: p}, {Of: p}}
		for i, want := range []bool{true, true, false} {
			if got := all[i].Set(50 << 20); got != want {
				t.Errorf("connection %d: %t", i, got)
			}
		}
		if p.Held() != 200<<20 {
			t.Errorf("%d bytes are held", p.Held())
		}
		time.AfterFunc(time.Second, func() { all[0].Set(0) })
		if !all[2].Set(50 << 20) {
			t.Error("no room behind another one's end")
		}
		all[1].End()
		all[2].End()
		all[2].Set(50 << 20)
		if p.Held() != 0 {
			t.Errorf("%d bytes are held in the end", p.Held())
		}
		if n := (&Receiving{}); !n.Set(1 << 40) {
			t.Error("without a bound")
		}
	})
}

// TestKeepPrepared: prepared statements count for as long as they are there.
func TestKeepPrepared(t *testing.T) {
	p := NewProcess()
	p.SetLimit(400 << 20)
	b := NewBudget(p)
	if err := b.KeepPrepared(10 << 20); err != nil || p.Held() != 10<<20*BytesOfPrepared {
		t.Errorf("%v, %d bytes", err, p.Held())
	}
	if err := b.KeepPrepared(20 << 20); !errors.Is(err, mysqlerr.ErrMemory) || p.Held() != 10<<20*BytesOfPrepared {
		t.Errorf("too much: %v, %d bytes", err, p.Held())
	}
	if err := b.KeepPrepared(0); err != nil || p.Held() != 0 {
		t.Errorf("none: %v, %d bytes", err, p.Held())
	}
}

// TestGateOfShortTexts: a statement with a text that is not very long goes on where longer ones wait, and has its own
// room, which is a part of all.
func TestGateOfShortTexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProcess()
		p.SetLimit(1 << 30)
		ctx := context.Background()
		for range workShare {
			if err := NewBudget(p).EnterText(ctx, 60<<20); err != nil {
				t.Fatal(err)
			}
		}
		go func() { _ = NewBudget(p).EnterText(ctx, 5<<20) }()
		synctest.Wait()
		began, in := time.Now(), 0
		for ; time.Since(began) == 0; in++ {
			b := NewBudget(p)
			if err := b.EnterText(ctx, HugeText-1); err != nil {
				break
			}
			if in > 0 {
				continue
			}
			if err := b.EnterFile(ctx, 20<<20); !errors.Is(err, mysqlerr.ErrMemory) {
				t.Errorf("a file among the larger ones: %v", err)
			}
			began = time.Now()
		}
		if want := 1 + (1<<30)/shortShare/(HugeText*timesOfText); in != want {
			t.Errorf("%d short ones are in; want %d", in, want)
		}
	})
}
