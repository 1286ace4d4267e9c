package commands

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// limitDescriptors gives a process fewer descriptors than it began with.
func limitDescriptors(t *testing.T, p *harness.Process, most uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: most, Max: most}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(p.Cmd.Process.Pid), syscall.RLIMIT_NOFILE,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Skipf("descriptors can't be limited: %v", errno)
	}
}

// descriptors counts those that a process has open.
func descriptors(t *testing.T, p *harness.Process) int {
	t.Helper()
	open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(p.Cmd.Process.Pid), "fd"))
	if err != nil {
		t.Skip(err)
	}
	return len(open)
}

// TestFewDescriptors: 400 connections that never log in, at a server that may have 256 descriptors, keep nobody out,
// take nothing from who is there, and are gone when their clients are.
func TestFewDescriptors(t *testing.T) {
	const most = 256
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + t.TempDir(), "--listen",
		"127.0.0.1:0"}})
	db := harness.Connect(t, p.Addr, "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, n INT)")
	limitDescriptors(t, p, most)
	before := descriptors(t, p)
	var silent []net.Conn
	for i := range 400 {
		c, err := net.DialTimeout("tcp", string(p.Addr), harness.Patience)
		if err != nil {
			break // the kernel keeps a queue of those that are not accepted
		}
		silent = append(silent, c)
		if i%40 == 0 {
			harness.MustExec(t, db, "INSERT INTO d.t VALUES ("+strconv.Itoa(i)+", 1)")
		}
	}
	if open := descriptors(t, p); open >= most {
		t.Errorf("%d descriptors are open", open)
	}
	harness.MustExec(t, harness.Connect(t, p.Addr, "", ""), "UPDATE d.t SET n = 2") // who logs in gets in
	said := p.Stderr.String()
	if !strings.Contains(said, "not logged in") && !strings.Contains(said, "too many open files") {
		t.Errorf("the server says nothing of it:\n%s", said)
	}
	for _, c := range silent {
		_ = c.Close()
	}
	for began := time.Now(); descriptors(t, p) > before+20; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > harness.Patience {
			t.Fatalf("%d descriptors stay open, of %d before", descriptors(t, p), before)
		}
	}
	if n := harness.Number(t, db, "SELECT SUM(n) FROM d.t"); n != 2*int64((len(silent)+39)/40) {
		t.Errorf("SUM(n) = %d after %d connections", n, len(silent))
	}
	harness.CheckAll(t, db)
}
