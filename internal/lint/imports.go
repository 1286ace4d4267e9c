package lint

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Place is one package's line in the import table.
type Place struct {
	Path string // from the module's root
	// May are the packages of this module that it may import; nothing is
	// allowed because something else allows it.
	May []string
	// InTests are the packages that its tests may import besides.
	InTests []string
	// Reason is printed when the line is broken.
	Reason string
}

// Ban keeps an import from outside the module in a few packages.
type Ban struct {
	Import string   // an import path; everything below it is banned with it
	Except []string // packages, from the module's root
	// Tests extends the exception to every test.
	Tests  bool
	Reason string
}

// Table lists for each package the packages that it may import.
type Table struct {
	Places []Place
	Bans   []Ban
	// Planned are the paths of Places and Bans that match nothing in the tree yet. Any other
	// line that no longer matches anything is reported, since a rule about a package that has
	// gone guards nothing.
	Planned []string
}

// tableFile is where a violation sends its reader.
const tableFile = "internal/lint/table.go"

// Imports reports imports that break the table, and lines of the table that guard nothing.
func Imports(t *Tree, table Table) []Violation {
	var found []Violation
	places := map[string]Place{}
	for _, p := range table.Places {
		places[p.Path] = p
	}
	met := map[string]bool{} // places and bans that matched something
	for _, pkg := range t.Packages {
		place, declared := places[pkg.Path]
		if !declared {
			found = append(found, Violation{Path: pkg.Path, Message: fmt.Sprintf(
				"the package has no line in the import table: declare it, what it may import and why, in %s", tableFile)})
			continue
		}
		met[pkg.Path] = true
		for _, file := range pkg.Files {
			for _, imp := range file.Imports() {
				if inner, ok := cutModule(t.Module, imp.Path); ok {
					if inner == pkg.Path && file.Test() { // package x_test
						continue
					}
					if slices.Contains(place.May, inner) || file.Test() && slices.Contains(place.InTests, inner) {
						continue
					}
					found = append(found, Violation{Path: file.Path, Line: imp.Line, Message: fmt.Sprintf(
						"%s may not import %s: %s (%s)", pkg.Path, inner, place.Reason, tableFile)})
					continue
				}
				for _, ban := range table.Bans {
					if imp.Path != ban.Import && !strings.HasPrefix(imp.Path, ban.Import+"/") {
						continue
					}
					met[ban.Import] = true
					if slices.Contains(ban.Except, pkg.Path) || ban.Tests && file.Test() {
						continue
					}
					found = append(found, Violation{Path: file.Path, Line: imp.Line, Message: fmt.Sprintf(
						"%s may not import %s: %s (%s)", pkg.Path, imp.Path, ban.Reason, tableFile)})
				}
			}
		}
	}
	return append(found, checkTable(table, places, met)...)
}

// checkTable reports lines of the table that are about nothing.
func checkTable(table Table, places map[string]Place, met map[string]bool) []Violation {
	var found []Violation
	report := func(format string, args ...any) {
		found = append(found, Violation{Path: tableFile, Message: fmt.Sprintf(format, args...)})
	}
	declared := func(line string, paths []string) {
		for _, p := range paths {
			if _, ok := places[p]; !ok {
				report("the line of %s names %s, which has no line of its own", line, p)
			}
		}
	}
	for _, p := range table.Places {
		if p.Reason == "" {
			report("the line of %s gives no reason", p.Path)
		}
		declared(p.Path, p.May)
		declared(p.Path, p.InTests)
		if !met[p.Path] && !slices.Contains(table.Planned, p.Path) {
			report("there is no package %s: take its line out", p.Path)
		}
	}
	for _, b := range table.Bans {
		if b.Reason == "" {
			report("the ban of %s gives no reason", b.Import)
		}
		declared(b.Import, b.Except)
		if !met[b.Import] && !slices.Contains(table.Planned, b.Import) {
			report("nothing imports %s: take its ban out", b.Import)
		}
	}
	found = append(found, checkCycles(places)...)
	return found
}

// checkCycles reports lines that together let imports go round. The compiler
// refuses a cycle of packages; this refuses a table under which two changes,
// each allowed, make one.
func checkCycles(places map[string]Place) []Violation {
	var found []Violation
	const open, closed = 1, 2
	state := map[string]int{}
	var visit func(p string)
	visit = func(p string) {
		state[p] = open
		for _, next := range places[p].May {
			switch state[next] {
			case open:
				found = append(found, Violation{Path: tableFile, Message: fmt.Sprintf(
					"the lines of %s and %s allow an import cycle", p, next)})
			case 0:
				visit(next)
			}
		}
		state[p] = closed
	}
	paths := make([]string, 0, len(places))
	for p := range places {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		if state[p] == 0 {
			visit(p)
		}
	}
	return found
}

// cutModule turns an import path of the module into a package's path.
func cutModule(module, imported string) (string, bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// Dependencies lists the modules that the tree's packages import, with the version that
// go.mod requires, one line each: "path version", and " tests" when only tests need it.
// They are read from the imports and not from go.mod's comments, which say "indirect" until
// somebody tidies.
func Dependencies(t *Tree) (lines []string, found []Violation) {
	used := map[Require]bool{} // whether only tests use it
	for _, pkg := range t.Packages {
		for _, file := range pkg.Files {
			for _, imp := range file.Imports() {
				if _, ok := cutModule(t.Module, imp.Path); ok || !strings.Contains(strings.Split(imp.Path, "/")[0], ".") {
					continue // ours, or the standard library
				}
				req, ok := moduleOf(t.Requires, imp.Path)
				if !ok {
					found = append(found, Violation{Path: file.Path, Line: imp.Line,
						Message: fmt.Sprintf("go.mod requires no module with the package %s", imp.Path)})
					continue
				}
				only, seen := used[req]
				used[req] = file.Test() && (only || !seen)
			}
		}
	}
	for req, tests := range used {
		line := req.Path + " " + req.Version
		if tests {
			line += " tests"
		}
		lines = append(lines, line)
	}
	sort.Strings(lines)
	return lines, found
}

// moduleOf finds the requirement with the longest path that holds the package.
func moduleOf(requires []Require, imported string) (Require, bool) {
	var best Require
	for _, r := range requires {
		if (imported == r.Path || strings.HasPrefix(imported, r.Path+"/")) && len(r.Path) > len(best.Path) {
			best = r
		}
	}
	return best, best.Path != ""
}
