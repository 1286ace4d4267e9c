package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/datadriven"
	"golang.org/x/tools/txtar"
)

// fixtures are the trees that break the rules; no rule looks at them.
const fixtures = "internal/lint/testdata"

// loadedOnce is the repository, which all tests read.
var loadedOnce = sync.OnceValues(func() (*Tree, error) {
	root, err := FindRoot(".")
	if err != nil {
		return nil, err
	}
	return Load(root)
})

func house(t *testing.T) *Tree {
	t.Helper()
	tree, err := loadedOnce()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func report(t *testing.T, found []Violation) {
	t.Helper()
	for _, v := range found {
		t.Error(v)
	}
}

func TestImports(t *testing.T)         { report(t, Imports(house(t), House)) }
func TestPackageComments(t *testing.T) { report(t, PackageComments(house(t))) }
func TestLengths(t *testing.T)         { report(t, Lengths(house(t))) }
func TestWidths(t *testing.T)          { report(t, Widths(house(t))) }
func TestHabits(t *testing.T)          { report(t, Habits(house(t), BoolParameters)) }
func TestWords(t *testing.T)           { report(t, Words(house(t), Outside, []string{fixtures})) }

// TestSizes prints the size of each package with -v.
func TestSizes(t *testing.T) {
	tree := house(t)
	for _, pkg := range tree.Packages {
		size := SizeOf(pkg)
		t.Logf("%-24s %3d files %6d lines", pkg.Path, size.Files, size.Lines)
	}
	report(t, Sizes(tree, MaxPackage))
}

// The house as it stands is written anew when its rooms are divided.
func TestPages(t *testing.T) {
	report(t, Pages(house(t), map[string]bool{"docs/developing/architecture.md": true}))
}

// TestDependencies compares the modules that this repository imports with a
// golden file, so that a new one is seen in review. Rewrite it with
//
//	go test ./internal/lint -run TestDependencies -rewrite
func TestDependencies(t *testing.T) {
	datadriven.RunTest(t, "testdata/dependencies", func(t *testing.T, d *datadriven.TestData) string {
		lines, found := Dependencies(house(t))
		report(t, found)
		return strings.Join(lines, "\n") + "\n"
	})
}

// TestHouseIsRead guards the guards: a walk that finds nothing breaks no rule.
func TestHouseIsRead(t *testing.T) {
	tree := house(t)
	if i := slices.IndexFunc(tree.Packages, func(p *Package) bool { return p.Path == "kv" }); i < 0 ||
		len(tree.Packages[i].Files) == 0 {
		t.Fatalf("no package kv among the %d packages read", len(tree.Packages))
	}
	if !slices.ContainsFunc(tree.Files, func(f *File) bool { return f.Path == "internal/lint/table.go" }) {
		t.Fatalf("this package's own files are not among the %d files read", len(tree.Files))
	}
}

// TestLoad shows what of a directory becomes a tree.
func TestLoad(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".gitignore":     "/data/\n*.out\n# a comment\n",
		"go.mod":         "module example.com/house\n",
		"low/a.go":       "package low\n",
		"low/data/a.txt": "kept: the pattern is from the root",
		"data/a.txt":     "ignored",
		"low/cpu.out":    "ignored",
		".git/config":    "ignored",
		"low/image":      "\x00 is no text",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, err := FindRoot(filepath.Join(root, "low", "data"))
	if err != nil || found != root {
		t.Fatalf("FindRoot: %s, %v; want %s", found, err, root)
	}
	tree, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range tree.Files {
		files = append(files, f.Path)
	}
	if want := []string{".gitignore", "go.mod", "low/a.go", "low/data/a.txt"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	if len(tree.Packages) != 1 || tree.Packages[0].Path != "low" {
		t.Errorf("packages %v, want low alone", tree.Packages)
	}
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("!kept\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(root); err == nil {
		t.Error("a .gitignore with a negation was read as if it had none")
	}
}

// TestRules runs each rule over small trees that keep and break it. A case is
// a txtar archive; the command names the rule.
func TestRules(t *testing.T) {
	table := func(planned []string) Table {
		return Table{
			Places: []Place{
				{Path: "low", InTests: []string{"engine"}, Reason: "low stands on nothing"},
				{Path: "high", May: []string{"low"}, Reason: "high stands on low"},
				{Path: "engine", May: []string{"low"}, Reason: "an engine stands on low"},
			},
			Bans: []Ban{
				{Import: "example.com/db", Except: []string{"engine"}, Reason: "the database is the engine's"},
				{Import: "testing", Tests: true, Reason: "only tests test"},
			},
			Planned: planned,
		}
	}
	datadriven.Walk(t, "testdata/rules", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			files := map[string][]byte{"go.mod": []byte("module example.com/house\n")}
			for _, f := range txtar.Parse([]byte(d.Input)).Files {
				files[f.Name] = f.Data
			}
			tree, err := Parse(files)
			if err != nil {
				return err.Error() + "\n"
			}
			var planned []string
			for _, a := range d.CmdArgs {
				if a.Key == "planned" {
					planned = a.Vals
				}
			}
			var found []Violation
			switch d.Cmd {
			case "imports":
				found = Imports(tree, table(planned))
			case "cycle":
				tab := table([]string{"low", "high", "engine", "example.com/db", "testing"})
				tab.Places[0].May = []string{"high", "gone"}
				tab.Places[2].Reason = ""
				found = Imports(tree, tab)
			case "comments":
				found = PackageComments(tree)
			case "lengths":
				tree.Packages[0].Files[0].Text = []byte(strings.Repeat("\n", 601))
				found = Lengths(tree)
			case "sizes":
				found = Sizes(tree, Bound{Files: 2, Lines: 6})
			case "widths":
				found = Widths(tree)
			case "habits":
				found = Habits(tree, []BoolParameter{
					{Package: "high", Name: "Front.Parse", Reason: "an interface of the front end"},
					{Package: "high", Name: "Nothing", Reason: "it has gone"},
				})
			case "words":
				found = Words(tree, append(slices.Clone(Outside), Word{regexp.MustCompile("never"), "seldom"}), []string{"data"})
			case "pages":
				found = Pages(tree, map[string]bool{"docs/old.md": true, "docs/new.md": true})
			case "dependencies":
				lines, missing := Dependencies(tree)
				found = missing
				if len(lines) > 0 {
					return strings.Join(lines, "\n") + "\n" + spell(found)
				}
			default:
				d.Fatalf(t, "no rule %s", d.Cmd)
			}
			if len(found) == 0 {
				return "ok\n"
			}
			return spell(found)
		})
	})
}

func spell(found []Violation) string {
	var b strings.Builder
	for _, v := range found {
		fmt.Fprintln(&b, v)
	}
	return b.String()
}
