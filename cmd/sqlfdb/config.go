package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// configFlag is the flag that names a file of flags.
const configFlag = "config"

// fromFile takes each flag that was not given from the file that --config names. A line is NAME = VALUE; a line that
// begins with # is a comment. A name that is no flag is an error, so that no setting is lost by a slip.
func fromFile(flags *pflag.FlagSet) error {
	of := flags.Lookup(configFlag)
	if of == nil || of.Value.String() == "" {
		return nil
	}
	name := of.Value.String()
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	given := map[string]int{}
	without := overruled(flags)
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fail := func(err error) error { return fmt.Errorf("--config %s: line %d: %w", name, i+1, err) }
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok {
			return fail(fmt.Errorf("%q: want NAME = VALUE", line))
		}
		f := flags.Lookup(key)
		if f == nil || key == configFlag || key == "help" {
			return fail(fmt.Errorf("%q is no flag of this command", key))
		}
		if before, twice := given[key]; twice {
			return fail(fmt.Errorf("%s stands in line %d already", key, before))
		}
		given[key] = i + 1
		if f.Changed || key == without {
			continue
		}
		if strings.Contains(value, " #") || strings.Contains(value, "\t#") {
			return fail(fmt.Errorf("%s: a value has no comment behind it: write that into a line of its own", key))
		}
		if n := len(value); n > 1 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
			return fail(fmt.Errorf("%s: the quotes around %s would be part of the value: leave them out", key, value))
		}
		if err := flags.Set(key, value); err != nil {
			return fail(err)
		}
	}
	return nil
}
