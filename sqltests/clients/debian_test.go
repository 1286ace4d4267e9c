package clients

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// debian runs a script whose program and modules come from Debian's packages; check is what the program runs to see
// whether they are there.
func debian(t *testing.T, program, path, packages string, check ...string) {
	p := begin(t)
	found(t, program, "apt-get install "+packages)
	if out, err := osexec.Command(program, check...).CombinedOutput(); err != nil {
		t.Skipf("apt-get install %s: %.500s", packages, out)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	p.run(t, name, osexec.Command(program, filepath.Join("testdata", path)))
}

func TestActiveRecord(t *testing.T) {
	debian(t, "ruby", "ruby/activerecord.rb", "ruby-activerecord ruby-mysql2", "-e",
		"require 'active_record'; require 'mysql2'")
}

func TestSequel(t *testing.T) {
	debian(t, "ruby", "ruby/sequel.rb", "ruby-sequel ruby-mysql2", "-e", "require 'sequel'; require 'mysql2'")
}

func TestLaravel(t *testing.T) {
	debian(t, "php", "php/laravel.php", "php-illuminate-database php-mysql", "-r",
		"require '/usr/share/php/Illuminate/Database/autoload.php';")
}

func TestDoctrine(t *testing.T) {
	debian(t, "php", "php/doctrine.php", "php-doctrine-dbal php-mysql", "-r",
		"require '/usr/share/php/Doctrine/DBAL/autoload.php';")
}

func TestDBI(t *testing.T) {
	debian(t, "perl", "perl/dbi.pl", "libdbd-mysql-perl libdbd-mariadb-perl", "-MDBD::mysql", "-MDBD::MariaDB", "-e", "1")
}

func TestPeewee(t *testing.T) { python(t, "people_peewee", "peewee", "pymysql") }

// TestModules: the program that opens a store asks for the modules that the driver needs, in the same versions.
func TestModules(t *testing.T) {
	const module = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"
	list := osexec.Command("go", "list", "-deps", "-f", module, "../../driver")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "inprocess", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, module := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if module != "" && !seen[module] && !strings.Contains(string(text), module) {
			t.Errorf("testdata/inprocess/go.mod lacks %s: run go mod tidy there", module)
		}
		seen[module] = true
	}
	if len(seen) < 10 {
		t.Errorf("the driver needs %d modules only", len(seen))
	}
}
