package main

import "strings"

// reserveFlag is the value of --disk-reserve: a size, or 0 for none.
type reserveFlag struct {
	text  string
	bytes int64 // 0: the engine's default; less: none
}

// String implements pflag.Value.
func (r *reserveFlag) String() string { return r.text }

// Type implements pflag.Value.
func (r *reserveFlag) Type() string { return "size" }

// Set implements pflag.Value.
func (r *reserveFlag) Set(text string) error {
	if strings.TrimSpace(text) == "0" {
		r.text, r.bytes = text, -1
		return nil
	}
	n, err := (&cacheFlag{}).parse(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	r.text, r.bytes = text, n
	return nil
}
