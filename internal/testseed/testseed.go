// Package testseed is where random tests get their seeds from. With SQLFDB_TEST_SEED in the
// environment, as .ci/run sets it, every one of them draws the same at each run of a
// commit. Without it, each draws something new, and prints the setting that repeats it.
//
// rapid reads RAPID_SEED, which .ci/run sets too.
package testseed

import (
	"flag"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Variable is the environment variable of the seed: a number that is not 0.
const Variable = "SQLFDB_TEST_SEED"

// Of is the seed of a random test: the value of its own flag if that is not 0, else
// the environment's, else one from the clock. It is logged under the flag's name.
func Of(t testing.TB, name string, given uint64) uint64 {
	t.Helper()
	seed := given
	if text := os.Getenv(Variable); seed == 0 && text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil || seed == 0 {
			t.Fatalf("%s is %q: a number that is not 0 is needed", Variable, text)
		}
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	if name != "" {
		t.Logf("-%s %d", name, seed)
	} else {
		t.Logf("%s=%d", Variable, seed)
	}
	return seed
}

// maxChecks bounds the runs of Check. What one run of few cases meets in one of
// three seeds is missing in all of them once in a billion.
const maxChecks = 50

// Check is rapid.Check, repeated with other cases until what the property must have
// met is met, so that no seed is an unlucky one. It fails if that never happens.
func Check(t *testing.T, property func(*rapid.T), covered func() bool) {
	t.Helper()
	seed := flag.Lookup("rapid.seed")
	given := seed.Value.String()
	defer func() {
		if err := seed.Value.Set(given); err != nil {
			t.Error(err)
		}
	}()
	first, err := strconv.ParseUint(given, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(maxChecks) {
		if first != 0 { // 0 is another one at each run
			// rapid counts seeds on from the first by small steps.
			if err := seed.Value.Set(strconv.FormatUint(first+n*1_000_003, 10)); err != nil {
				t.Fatal(err)
			}
		}
		rapid.Check(t, property)
		if covered() {
			return
		}
	}
	t.Errorf("in %d runs the property was not tried", maxChecks)
}
