package testseed

import (
	"flag"
	"testing"

	"pgregory.net/rapid"
)

func TestOf(t *testing.T) {
	t.Setenv(Variable, "")
	if got := Of(t, "some-seed", 5); got != 5 {
		t.Errorf("%d, 5 was given", got)
	}
	if a, b := Of(t, "", 0), Of(t, "", 0); a == 0 || b == 0 {
		t.Errorf("from the clock: %d, %d", a, b)
	}
	t.Setenv(Variable, "12")
	if got := Of(t, "", 0); got != 12 {
		t.Errorf("%d, the environment says 12", got)
	}
	if got := Of(t, "some-seed", 5); got != 5 {
		t.Errorf("%d, 5 was given though the environment says 12", got)
	}
}

// TestCheck: what a run of rapid rarely meets is met, with a seed from the clock and with
// any given one, which is there again afterwards.
func TestCheck(t *testing.T) {
	before := flag.Lookup("rapid.seed").Value.String()
	defer func() { _ = flag.Set("rapid.seed", before) }()
	for _, seed := range []string{"0", "1", "2", "18446744073709551615"} {
		if err := flag.Set("rapid.seed", seed); err != nil {
			t.Fatal(err)
		}
		met, runs := false, 0
		Check(t, func(t *rapid.T) {
			if rapid.IntRange(0, 1000).Draw(t, "n") == 700 {
				met = true
			}
		}, func() bool { runs++; return met || runs == 20 })
		if !met && runs < 20 {
			t.Errorf("seed %s: not met", seed)
		}
		if got := flag.Lookup("rapid.seed").Value.String(); got != seed {
			t.Errorf("seed %s is %s afterwards", seed, got)
		}
	}
}
