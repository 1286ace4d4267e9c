package main

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	leastCache = 1 << 20 // of --cache
	// Without --cache a server takes a share of the memory, and at least as much as where
	// nobody knows the memory.
	defaultCachePercent = 25
	defaultCacheBytes   = 128 << 20
	maxCachePercent     = 80 // a server's other memory must fit beside it
)

// cacheFlag is the value of --cache or --memory: bytes, or a share of the memory.
type cacheFlag struct {
	memory int64 // 0: not known
	text   string
	bytes  int64
	set    bool
}

func newCacheFlag(memory int64) *cacheFlag {
	if memory == 0 {
		return &cacheFlag{text: "128MiB", bytes: defaultCacheBytes}
	}
	return &cacheFlag{memory: memory, text: fmt.Sprintf("%d%%", defaultCachePercent),
		bytes: max(memory/100*defaultCachePercent, defaultCacheBytes)}
}

// String implements pflag.Value.
func (c *cacheFlag) String() string { return c.text }

// Type implements pflag.Value.
func (c *cacheFlag) Type() string { return "size" }

// Set implements pflag.Value.
func (c *cacheFlag) Set(text string) error {
	n, err := c.parse(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	c.text, c.bytes, c.set = text, n, true
	return nil
}

func (c *cacheFlag) parse(text string) (int64, error) {
	if share, ok := strings.CutSuffix(text, "%"); ok {
		p, err := strconv.Atoi(strings.TrimSpace(share))
		if err != nil || p < 1 || p > maxCachePercent {
			return 0, fmt.Errorf("%q: want 1%% to %d%%", text, maxCachePercent)
		}
		if c.memory == 0 {
			return 0, fmt.Errorf("%q: how much memory this machine has is not known: give a size", text)
		}
		return max(c.memory/100*int64(p), leastCache), nil
	}
	n, err := parseSize(text)
	if err != nil {
		return 0, fmt.Errorf("%w, or a share of the memory such as 25%%", err)
	}
	if n < leastCache {
		return 0, fmt.Errorf("%q: at least 1MiB", text)
	}
	return n, nil
}

// parseSize reads bytes, or a size such as 512MiB.
func parseSize(text string) (int64, error) {
	number, unit := strings.ToLower(text), int64(1)
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}} {
		if n, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = n, u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q: want bytes, a size such as 512MiB or 4GiB", text)
	}
	return n * unit, nil
}

// machineMemory is the memory in bytes that this process may use, by Linux and its control
// groups; 0 where these don't say.
func machineMemory(root fs.FS) int64 {
	var total int64
	if b, err := fs.ReadFile(root, "proc/meminfo"); err == nil {
		for _, line := range strings.Split(string(b), "\n") {
			var kib int64
			if n, _ := fmt.Sscanf(line, "MemTotal: %d kB", &kib); n == 1 {
				total = kib << 10
			}
		}
	}
	for _, name := range memoryLimits(root) {
		b, err := fs.ReadFile(root, name)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && n > 0 && n < total {
			total = n
		}
	}
	return total
}

// memoryLimits are the files that bound the memory of this process: the files of its control group and of each group
// above it, in both versions of Linux's control groups. A container may see its own group as the topmost, under any
// name.
func memoryLimits(root fs.FS) []string {
	mounts := []struct{ controller, place, file string }{
		{"", "sys/fs/cgroup", "memory.max"},
		{"", "sys/fs/cgroup/unified", "memory.max"},
		{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes"},
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup") // without it the topmost groups are looked at
	var files []string
	for _, m := range mounts {
		files = append(files, path.Join(m.place, m.file))
		for line := range strings.Lines(string(groups)) {
			// 4:memory:/system.slice/a.service, of the second version 0::/system.slice/a.service
			parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
			if len(parts) < 3 || !slices.Contains(strings.Split(parts[1], ","), m.controller) {
				continue
			}
			for at := path.Clean("/" + parts[2]); at != "/"; at = path.Dir(at) {
				files = append(files, path.Join(m.place, at, m.file))
			}
		}
	}
	return files
}

func thisMachine() fs.FS { return os.DirFS("/") }
