package lint

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bound is how large a package may be; its tests don't count.
type Bound struct {
	Files, Lines int
}

// MaxPackage is the bound of every package that is not among LargePackages.
var MaxPackage = Bound{Files: 45, Lines: 9000}

// LargePackages wait to be divided.
var LargePackages = map[string]bool{"sqlbackend": true}

// wideFiles lists the Go files with lines over MaxColumns. The list shrinks: a file leaves it with its last long line.
//
//go:embed wide.txt
var wideFiles string

// WideFiles are the Go files that may have lines over MaxColumns.
func WideFiles() map[string]bool {
	wide := map[string]bool{}
	for _, path := range strings.Fields(wideFiles) {
		wide[path] = true
	}
	return wide
}

// SizeOf counts the files and lines of a package without its tests.
func SizeOf(pkg *Package) Bound {
	var size Bound
	for _, f := range pkg.Files {
		if !f.Test() {
			size.Files++
			size.Lines += bytes.Count(f.Text, []byte("\n"))
		}
	}
	return size
}

// Sizes reports packages over the bound. An exempt package that keeps it, or that is gone, is reported too.
func Sizes(t *Tree, most Bound, exempt map[string]bool) []Violation {
	var found []Violation
	needed := map[string]bool{}
	for _, pkg := range t.Packages {
		size := SizeOf(pkg)
		if size.Files <= most.Files && size.Lines <= most.Lines {
			continue
		}
		needed[pkg.Path] = true
		if !exempt[pkg.Path] {
			found = append(found, Violation{Path: pkg.Path, Message: fmt.Sprintf(
				"%d files with %d lines, over %d with %d: divide it by its jobs", size.Files, size.Lines, most.Files, most.Lines)})
		}
	}
	return append(found, needless(exempt, needed)...)
}

// Widths reports lines of Go files over MaxColumns characters. An exempt file without such a line, or that is gone, is
// reported too.
func Widths(t *Tree, exempt map[string]bool) []Violation {
	var found []Violation
	needed := map[string]bool{}
	for _, pkg := range t.Packages {
		for _, f := range pkg.Files {
			for i, line := range bytes.Split(f.Text, []byte("\n")) {
				n := utf8.RuneCount(line)
				if n <= MaxColumns {
					continue
				}
				needed[f.Path] = true
				if !exempt[f.Path] {
					found = append(found, Violation{Path: f.Path, Line: i + 1, Message: fmt.Sprintf(
						"%d characters, over %d: break the line", n, MaxColumns)})
				}
			}
		}
	}
	return append(found, needless(exempt, needed)...)
}

// needless reports exceptions that nothing needs.
func needless(exempt, needed map[string]bool) []Violation {
	var found []Violation
	for _, path := range slices.Sorted(maps.Keys(exempt)) {
		if !needed[path] {
			found = append(found, Violation{Path: path, Message: "it keeps the bound: take it out of the exceptions"})
		}
	}
	return found
}
