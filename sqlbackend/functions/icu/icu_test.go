package icu_test

import (
	"context"
	"testing"
	"unsafe"

	regex "github.com/dolthub/go-icu-regex"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/icu"
)

// TestCompiledAtFirstUse: before the first use the pool has the empty module, and afterwards both its users match.
func TestCompiledAtFirstUse(t *testing.T) {
	early := (*regex.Pool)(icu.Pool()).Get()
	if early.ExportedFunction("malloc") != nil {
		t.Error("the start of a process compiles the library")
	}
	(*regex.Pool)(icu.Pool()).Put(early)

	var ours *regex.Pool
	icu.Load(func() unsafe.Pointer {
		ours = regex.NewPool()
		return unsafe.Pointer(ours)
	})
	module := ours.Get()
	if module.ExportedFunction("malloc") == nil {
		t.Error("the library is missing in the new pool")
	}
	ours.Put(module)

	ctx := context.Background()
	r := regex.CreateRegex(1024)
	defer func() { _ = r.Close() }()
	if err := r.SetRegexString(ctx, "^b+$", regex.RegexFlags_None); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"bbb": true, "abb": false} {
		if err := r.SetMatchString(ctx, text); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Matches(ctx, 0, 0); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
