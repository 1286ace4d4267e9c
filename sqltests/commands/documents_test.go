package commands

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/prompt"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var rewriteDocuments = flag.Bool("rewrite-documents", false,
	"write what the statements of the pages give into the pages")

// A block is fenced text of a page.
type block struct {
	kind        string // what stands behind the fence: sql, sh, text
	text        string
	first, last int // lines of its text in the page, from 0
}

// fenced returns the blocks of a page.
func fenced(lines []string) []block {
	var found []block
	for i := 0; i < len(lines); i++ {
		kind, opens := strings.CutPrefix(lines[i], "```")
		if !opens {
			continue
		}
		first := i + 1
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		found = append(found, block{kind, strings.Join(lines[first:i], "\n"), first, i})
	}
	return found
}

// pages are the files that users read. What decisions say of the past is not run.
func pages(t *testing.T, root string) []string {
	found := []string{"README.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if d.IsDir() && d.Name() == "rfcs" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".md") {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDocuments runs what README and the pages of docs show.
//
// A page's blocks of sql run in one session of the command's client, in the database of the samples. The block of text
// behind one is what comes back, to the letter, or the error that ends it. In a block of sh each line is a command, in
// a folder that the page's commands share; text behind it is not compared. Of go test, the flags and tests that a line
// names must be there, in the packages that it names.
//
// The samples are as they were behind each page.
func TestDocuments(t *testing.T) {
	harness.Embedded(t)
	root := harness.ModuleRoot(t)
	samples := harness.Spawn(t, harness.Call{Args: []string{"demo", "--listen", "127.0.0.1:0"}})
	db := harness.Connect(t, samples.Addr, "shop", "")
	state := "SELECT CONCAT(sqlfdb_last_seq('shop.orders'), sqlfdb_last_seq('shop.products'), (SELECT COUNT(*) " +
		"FROM information_schema.TABLES))"
	before := harness.Text(t, db, state)
	for _, name := range pages(t, root) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(page), "\n")
			blocks := fenced(lines)
			var out []string
			kept := 0 // lines of the page that are in out
			seen := runBlocks(t, samples, blocks)
			shell := shell{root: root, dir: t.TempDir(), server: samples}
			for i, b := range blocks {
				switch kind, _, _ := strings.Cut(b.kind, " "); kind {
				case "sql":
					got := seen[i]
					if i+1 == len(blocks) || blocks[i+1].kind != "text" {
						if strings.HasPrefix(got, "ERROR") {
							t.Errorf("%s:%d: %s\n%s", name, b.first, b.text, got)
						}
						continue
					}
					want := blocks[i+1]
					if settled(got) != settled(want.text) && !*rewriteDocuments {
						t.Errorf("%s:%d: %s\ngives\n%s\nand not\n%s", name, b.first, b.text, got, want.text)
					}
					out = append(out, lines[kept:want.first]...)
					out = append(out, strings.Split(got, "\n")...)
					kept = want.last
				case "sh":
					shell.run(t, b)
				case "text", "json", "ini", "go", "yaml", "javascript":
				default:
					t.Errorf("%s:%d: a block of %q: what is run is sql or sh, what is shown is text", name, b.first, b.kind)
				}
			}
			if *rewriteDocuments {
				if err := os.WriteFile(path, []byte(strings.Join(append(out, lines[kept:]...), "\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if after := harness.Text(t, db, state); after != before {
				t.Errorf("%s leaves the samples otherwise than it found them", name)
				before = after
			}
		})
	}
	for _, table := range []string{"orders", "products"} {
		if rows := harness.Text(t, db, "CHECK TABLE "+table); rows == "" {
			t.Errorf("CHECK TABLE %s says nothing", table)
		}
	}
}

// settled is what a block gives without figures that differ from one store to the next: estimates of sizes, and costs.
func settled(shown string) string {
	if !strings.Contains(shown, "keys: about ") {
		return shown
	}
	shown = regexp.MustCompile(`(keys: about|costs?:?) [0-9.,]+`).ReplaceAllString(shown, "$1 N")
	return regexp.MustCompile(` +\||-{2,}`).ReplaceAllString(shown, "")
}

// runBlocks runs the blocks of SQL and returns what a person sees of each. They are one session, and another one behind
// an error.
func runBlocks(t *testing.T, samples *harness.Process, blocks []block) []string {
	t.Helper()
	seen := make([]string, len(blocks))
	var waiting []int
	for i, b := range blocks {
		if b.kind == "sql" {
			waiting = append(waiting, i)
		}
	}
	server, err := mysql.ParseDSN("root@tcp(" + samples.Addr.String() + ")/shop?interpolateParams=true")
	if err != nil {
		t.Fatal(err)
	}
	const mark = "+----------------+\n| end of a block |\n+----------------+\n| 1              " +
		"|\n+----------------+\n1 row\n"
	for len(waiting) > 0 {
		var statements strings.Builder
		for _, i := range waiting {
			statements.WriteString(blocks[i].text + "\nSELECT 1 AS `end of a block`;\n")
		}
		// The command's client, without a process of its own.
		var stdout, stderr strings.Builder
		err := prompt.Run(context.Background(), prompt.Options{Server: server, In: strings.NewReader(statements.String()),
			Out: &stdout, Err: &stderr})
		if err != nil && !errors.Is(err, prompt.ErrReported) {
			stderr.WriteString(prompt.Describe(err, ""))
		}
		parts := strings.Split(stdout.String(), mark)
		for n, part := range parts {
			if n == len(waiting) {
				return seen
			}
			seen[waiting[n]] = strings.TrimRight(part, "\n")
		}
		failed := waiting[len(parts)-1]
		told := regexp.MustCompile(`^(ERROR [^:]*) at line \d+:`).ReplaceAllString(stderr.String(), "$1:")
		seen[failed] = strings.Trim(seen[failed]+"\n"+strings.TrimRight(told, "\n"), "\n")
		waiting = waiting[len(parts):]
	}
	return seen
}

// shell runs the commands of a page.
type shell struct {
	root, dir string
	server    *harness.Process
}

// run runs a block, whose last lines may be go on with a backslash.
func (s shell) run(t *testing.T, b block) {
	for i, line := range strings.Split(strings.ReplaceAll(b.text, "\\\n", ""), "\n") {
		line, _, _ = strings.Cut(line, "   #")
		line = strings.TrimSpace(line)
		where := fmt.Sprintf("line %d of the page: %s", b.first+1+i, line)
		words := shellWords(strings.ReplaceAll(line, "go run ./cmd/sqlfdb", "sqlfdb"))
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		for len(words) > 1 && strings.HasPrefix(words[0], "SQLFDB_") {
			words = words[1:]
		}
		if strings.Contains(b.kind, "fdb") {
			if _, err := osexec.LookPath("fdbserver"); err != nil {
				t.Logf("skipped, no fdbserver on the PATH: %s", line)
				continue
			}
		}
		switch words[0] {
		case "sqlfdb":
			s.command(t, where, words[1:])
		case "mariadb", "mysql":
			s.client(t, where, words)
		case "go":
			s.goTest(t, where, words)
		case "curl", "cd", "git", "kill", "systemctl", "bash":
		default:
			t.Errorf("%s: nothing runs such a command", where)
		}
	}
}

// command runs a command of ours. What serves is started, and ended once it listens.
func (s shell) command(t *testing.T, where string, args []string) {
	if i := indexOf(args, "&"); i >= 0 {
		args = args[:i]
	}
	if args[0] == "serve" || args[0] == "demo" {
		listen := indexOf(args, "--listen")
		if listen >= 0 {
			args = append(append([]string{}, args[:listen]...), args[listen+2:]...)
		}
		if args[0] == "demo" {
			return // the samples are served by it
		}
		harness.Spawn(t, harness.Call{Dir: s.dir, Args: append(args, "--listen", "127.0.0.1:0"),
			Env: []string{"SQLFDB_ROOT_PASSWORD=secret"}}).Stop()
		return
	}
	c := harness.Call{Dir: s.dir}
	if indexOf(args, "--store") < 0 {
		c.Env = []string{"SQLFDB_DSN=root@tcp(" + s.server.Addr.String() + ")/"}
	}
	for i, a := range args {
		a = strings.ReplaceAll(a, "127.0.0.1:3306", s.server.Addr.String())
		switch {
		case a == "|" || a == ">":
			t.Errorf("%s: no pipes here", where)
			return
		case a == "<":
			f, err := os.ReadFile(filepath.Join(s.dir, args[i+1]))
			if err != nil {
				t.Errorf("%s: %v", where, err)
			}
			c.Stdin = string(f)
		case i > 0 && args[i-1] == "<":
		case i > 0 && args[i-1] == "-P":
			_, port, _ := strings.Cut(s.server.Addr.String(), ":")
			c.Args = append(c.Args, port)
		case a == "--follow":
			// It would wait for changes.
		default:
			c.Args = append(c.Args, a)
		}
	}
	if o := harness.Run(t, c); o.Exit != 0 {
		t.Errorf("%s: it ends with %d: %s%s", where, o.Exit, o.Stdout, o.Stderr)
	}
}

// client runs a MySQL client, if there is one.
func (s shell) client(t *testing.T, where string, words []string) {
	path, err := osexec.LookPath(words[0])
	if err != nil {
		t.Logf("skipped, no such client on the PATH: %s", where)
		return
	}
	host, port, _ := strings.Cut(s.server.Addr.String(), ":")
	for i := range words {
		switch words[i] {
		case "-h":
			words[i+1] = host
		case "-P":
			words[i+1] = port
		}
	}
	cmd := osexec.Command(path, words[1:]...)
	cmd.Dir, cmd.Stdin = s.dir, strings.NewReader("SELECT 1;")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", where, err, out)
	}
}

// goTest looks the flags and tests of a line up in the sources: what they name must be there.
func (s shell) goTest(t *testing.T, where string, words []string) {
	if words[1] != "test" {
		return
	}
	var sources strings.Builder
	for _, w := range append(slices.Clone(words[2:]), "./sqltests/harness") { // there are flags that packages share
		if !strings.HasPrefix(w, "./") {
			continue
		}
		folder, all := strings.CutSuffix(w, "/...")
		folder = filepath.Join(s.root, folder)
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != folder && !all:
				return fs.SkipDir
			case filepath.Ext(path) != ".go":
				return nil
			}
			b, err := os.ReadFile(path)
			sources.Write(b)
			return err
		})
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
	}
	given := map[string]bool{"run": true, "bench": true, "tags": true, "timeout": true, "benchtime": true, "count": true,
		"race":  true,
		"short": true, "v": true, "cpuprofile": true, "vet": true}
	for i, w := range words[2:] {
		flagName, is := strings.CutPrefix(w, "-")
		if is && !given[flagName] && !strings.Contains(sources.String(), `"`+flagName+`"`) {
			t.Errorf("%s: no test has a flag -%s", where, flagName)
		}
		if flagName != "run" && flagName != "bench" || !is || len(words) <= i+3 || words[i+3] == "xxx" {
			continue
		}
		what, _, _ := strings.Cut(words[i+3], "/")
		kind := map[string]string{"run": "Test", "bench": "Benchmark"}[flagName]
		if !regexp.MustCompile(`func `+kind+`\w*?(`+strings.TrimPrefix(what, kind)+`)`).MatchString(sources.String()) &&
			what != "." {
			t.Errorf("%s: no such test", where)
		}
	}
}

// shellWords splits a line at spaces outside of quotes.
func shellWords(line string) []string {
	var words []string
	for _, w := range regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1) {
		words = append(words, strings.Trim(w, `'"`))
	}
	return words
}

func indexOf(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return -1
}
