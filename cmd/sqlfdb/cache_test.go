package main

import (
	"testing"
	"testing/fstest"
)

func TestCacheFlag(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		memory int64
		text   string // "" is the default
		want   int64  // 0: refused
	}{
		{8 * gib, "", 8 * gib / 100 * 25},
		{256 << 20, "", 128 << 20},
		{0, "", 128 << 20},
		{8 * gib, "50%", 8 * gib / 100 * 50},
		{8 * gib, "512MiB", 512 << 20},
		{8 * gib, "2 gib", 2 * gib},
		{8 * gib, "4096KiB", 4 << 20},
		{8 * gib, "16777216", 16 << 20},
		{0, "50%", 0},
		{8 * gib, "0%", 0},
		{8 * gib, "90%", 0},
		{8 * gib, "1023KiB", 0},
		{8 * gib, "-1GiB", 0},
		{8 * gib, "9223372036854775807GiB", 0},
		{8 * gib, "lots", 0},
		{8 * gib, "MiB", 0},
	} {
		f := newCacheFlag(c.memory)
		var err error
		if c.text != "" {
			err = f.Set(c.text)
		}
		if (err != nil) != (c.want == 0) || err == nil && f.bytes != c.want {
			t.Errorf("--cache %q of %d: %d, %v; want %d", c.text, c.memory, f.bytes, err, c.want)
		}
	}
}

func TestMachineMemory(t *testing.T) {
	const meminfo = "MemTotal:        2048 kB\nMemFree:         1 kB\n"
	for _, c := range []struct {
		files map[string]string
		want  int64
	}{
		{nil, 0},
		{map[string]string{"proc/meminfo": meminfo}, 2 << 20},
		{map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "max\n"}, 2 << 20},
		{map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		{map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"},
			2 << 20},
		{map[string]string{"sys/fs/cgroup/memory.max": "1048576\n"}, 0},
		// A service's group, and those above it.
		{map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/sqlfdb.service\n",
			"sys/fs/cgroup/system.slice/sqlfdb.service/memory.max": "1048576\n"}, 1 << 20},
		{map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/sqlfdb.service\n",
			"sys/fs/cgroup/system.slice/sqlfdb.service/memory.max": "max\n",
			"sys/fs/cgroup/system.slice/memory.max":                "524288\n"}, 512 << 10},
		{map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu:/c\n4:hugetlb,memory:/a/b\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":     "9223372036854771712\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "1048576\n",
			"sys/fs/cgroup/memory/c/memory.limit_in_bytes":   "4096\n"}, 1 << 20},
		{map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../elsewhere\n",
			"sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := machineMemory(root); got != c.want {
			t.Errorf("%v: %d, want %d", c.files, got, c.want)
		}
	}
}
