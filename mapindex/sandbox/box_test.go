package sandbox

import "testing"

// A runtime that a call has left as it was is used again; to make one takes hundreds of times as long as the call.
func TestUsedAgain(t *testing.T) {
	for len(boxes) > 0 {
		<-boxes
	}
	f, err := Compile("function (doc) { last = doc.n; emit(last, doc); }")
	if err != nil {
		t.Fatal(err)
	}
	if len(boxes) != 1 {
		t.Fatalf("%d runtimes are left", len(boxes))
	}
	kept := <-boxes
	boxes <- kept
	for range 10 {
		if _, err := f.Run([]byte(`{"n":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	again := <-boxes
	if boxes <- again; again != kept {
		t.Error("another runtime was made")
	}
}
