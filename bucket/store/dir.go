package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Dir is a folder whose files are the objects. Keys are paths below it, so the file system must distinguish upper and
// lower case. Conditions hold between the processes of one machine: they change files one at a time, under a lock.
type Dir struct {
	root string
	mu   sync.Mutex

	makingMu  sync.Mutex // held while folders are made
	foldersMu sync.Mutex
	folders   map[string]*folder
	passing   map[string]int // changes of files that are seen, and may not last yet

	syncFolder func(path string) error
}

// folder joins the syncs of a folder that are needed at about the same time.
type folder struct {
	asked atomic.Uint64
	mu    sync.Mutex // held during a sync
	done  uint64     // changes before so many askings last
}

// NewDir returns the store of a folder, which is made if it is not there.
func NewDir(root string) (*Dir, error) {
	root, err := filepath.Abs(root)
	if err == nil {
		err = os.MkdirAll(root, 0o777)
	}
	if err != nil {
		return nil, err
	}
	return &Dir{root: root, folders: map[string]*folder{}, passing: map[string]int{}, syncFolder: syncFolder}, nil
}

func (d *Dir) String() string { return "file://" + filepath.ToSlash(d.root) }

// hidden is how the names of files begin that are no objects. No name of a document or an entry has a "=".
const hidden = "=sqlfdb-"

func (d *Dir) path(key string) (string, error) {
	local := filepath.FromSlash(key)
	for _, part := range strings.Split(key, "/") {
		if part == "" || part == "." || part == ".." || strings.HasPrefix(part, hidden) {
			return "", fmt.Errorf("%w: %q is no name of a file", ErrRefused, key)
		}
		if len(part) > 255 {
			return "", fmt.Errorf("%w: %q is %w", ErrRefused, key, errLong)
		}
	}
	if !filepath.IsLocal(local) || strings.ContainsRune(key, 0) {
		return "", fmt.Errorf("%w: %q is no name of a file", ErrRefused, key)
	}
	return filepath.Join(d.root, local), nil
}

// errLong is wrapped for a key under which no store of the kind can have an object.
var errLong = errors.New("too long for a name")

func (d *Dir) read(key string) (Object, string, error) {
	path, err := d.path(key)
	if errors.Is(err, errLong) {
		return Object{}, "", fmt.Errorf("get %s: %w", key, ErrNotFound)
	}
	if err != nil {
		return Object{}, "", err
	}
	body, err := os.ReadFile(path)
	if missing(err) || errors.Is(err, syscall.ENAMETOOLONG) {
		return Object{}, path, fmt.Errorf("get %s: %w", key, ErrNotFound)
	}
	if err != nil {
		return Object{}, path, err
	}
	o := Object{Info: Info{Key: key, ETag: tagOf(body), Size: int64(len(body))}, Body: body}
	if info, err := os.Stat(path); err == nil {
		o.Modified = info.ModTime()
		o.Age = time.Since(o.Modified)
	}
	return o, path, nil
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR)
}

// Get implements Store.
func (d *Dir) Get(ctx context.Context, key, known string) (Object, error) {
	if err := ctx.Err(); err != nil {
		return Object{}, err
	}
	o, path, err := d.read(key)
	if err := d.lasting(path); err != nil {
		return Object{}, err
	}
	if err == nil && known != "" && known == o.ETag {
		return Object{}, ErrNotModified
	}
	return o, err
}

// locked calls fn while no other process changes the folder.
func (d *Dir) locked(ctx context.Context, fn func() error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	unlock, err := lockFile(filepath.Join(d.root, hidden+"lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return fn()
}

// Put implements Store. Many can write their files at once; only the checks of conditions come one after the other.
func (d *Dir) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	path, err := d.path(key)
	if err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := d.makeFolder(filepath.Dir(path)); err != nil {
		return "", err
	}
	written, err := writeFile(filepath.Dir(path), body)
	if err != nil {
		return "", err
	}
	defer os.Remove(written)
	defer d.pass(path)()
	err = d.locked(ctx, func() error {
		if cond != (Condition{}) {
			old, _, err := d.read(key)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			if !cond.holds(old.ETag, err == nil) {
				return fmt.Errorf("put %s: %w", key, ErrPrecondition)
			}
		}
		return os.Rename(written, path)
	})
	if err == nil {
		err = d.sync(filepath.Dir(path))
	}
	if err != nil {
		return "", err
	}
	return tagOf(body), nil
}

// writeFile writes a file of a name of its own, which no object has, into a folder.
func writeFile(folder string, body []byte) (string, error) {
	// os.CreateTemp would make it for its owner alone; so it gets its rights from the umask.
	name := filepath.Join(folder, hidden+rand.Text())
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return "", err
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(name)
	}
	return name, err
}

// makeFolder makes a folder and the folders above it durably. If another call has just made the folder, it is durable
// before this call returns.
func (d *Dir) makeFolder(path string) error {
	d.makingMu.Lock()
	defer d.makingMu.Unlock()
	if _, err := os.Stat(path); !missing(err) {
		return err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return err
	}
	for path != d.root && len(path) > len(d.root) {
		path = filepath.Dir(path)
		if err := d.sync(path); err != nil {
			return err
		}
	}
	return nil
}

// sync returns when the changes of a folder that have been made by now are durable. One sync serves all callers that
// come meanwhile.
func (d *Dir) sync(path string) error {
	d.foldersMu.Lock()
	f := d.folders[path]
	if f == nil {
		f = &folder{}
		d.folders[path] = f
	}
	d.foldersMu.Unlock()
	mine := f.asked.Add(1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done >= mine {
		return nil
	}
	upTo := f.asked.Load()
	if err := d.syncFolder(path); err != nil {
		return err
	}
	f.done = upTo
	return nil
}

// pass notes that a change of a file may be seen from now on. Its caller makes the change durable before it calls the
// returned function.
func (d *Dir) pass(path string) func() {
	add := func(n int) {
		d.foldersMu.Lock()
		defer d.foldersMu.Unlock()
		if d.passing[path] += n; d.passing[path] == 0 {
			delete(d.passing, path)
		}
	}
	add(1)
	return func() { add(-1) }
}

// passingBelow are the files of a prefix that may have changed without that lasting.
func (d *Dir) passingBelow(prefix string) (paths []string) {
	d.foldersMu.Lock()
	defer d.foldersMu.Unlock()
	for path := range d.passing {
		if strings.HasPrefix(path, filepath.Join(d.root, filepath.FromSlash(prefix))) {
			paths = append(paths, path)
		}
	}
	return paths
}

// lasting returns when the seen state of files is durable: a reader may rely on it, so a crash of the machine must
// not undo it. A change that another process of the machine has just made may still be undone.
func (d *Dir) lasting(paths ...string) error {
	for _, path := range paths {
		d.foldersMu.Lock()
		passing := d.passing[path] > 0
		d.foldersMu.Unlock()
		if passing {
			if err := d.sync(filepath.Dir(path)); err != nil && !missing(err) {
				return err
			}
		}
	}
	return nil
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Delete implements Store.
func (d *Dir) Delete(ctx context.Context, key string, cond Condition) error {
	at, err := d.path(key)
	if err != nil && !errors.Is(err, errLong) {
		return err
	}
	defer d.pass(at)()
	var gone string
	err = d.locked(ctx, func() error {
		old, path, err := d.read(key)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if !cond.holds(old.ETag, true) {
			return fmt.Errorf("delete %s: %w", key, ErrPrecondition)
		}
		gone = path
		return os.Remove(path)
	})
	if err != nil || gone == "" {
		return err
	}
	return d.sync(filepath.Dir(gone))
}

// List implements Store. A page after the first goes on in the names that the first one has found.
func (d *Dir) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, err
	}
	keys := o.Rest
	if keys == nil {
		var err error
		if keys, err = d.keys(prefix, o); err != nil {
			return Page{}, err
		}
	}
	if err := d.lasting(d.passingBelow(prefix)...); err != nil {
		return Page{}, err
	}
	p := pager{prefix: prefix, o: o}
	for i, key := range keys {
		if !p.add(Info{Key: key}) {
			p.page.Rest = keys[i:]
			break
		}
	}
	if o.Names {
		return p.page, nil
	}
	kept := p.page.Objects[:0]
	for _, info := range p.page.Objects {
		obj, _, err := d.read(info.Key)
		if errors.Is(err, ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return Page{}, err
		}
		kept = append(kept, obj.Info)
	}
	p.page.Objects = kept
	return p.page, nil
}

// keys are the keys that a listing may hold, in their order.
func (d *Dir) keys(prefix string, o ListOptions) ([]string, error) {
	folder := ""
	if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
		folder = prefix[:i]
	}
	// WalkDir does not go through a link; it may stand for the folder, or for one on the way to it.
	root, err := filepath.EvalSymlinks(filepath.Join(d.root, filepath.FromSlash(folder)))
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []string
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if missing(err) {
				return nil
			}
			return err
		}
		if strings.HasPrefix(e.Name(), hidden) {
			return nil
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		key := filepath.ToSlash(filepath.Join(folder, below))
		if e.IsDir() {
			below := key + "/"
			if path != root && !strings.HasPrefix(below, prefix) && !strings.HasPrefix(prefix, below) {
				return fs.SkipDir
			}
			// Below a folder that is listed as one prefix it only matters whether there is any file.
			return nil
		}
		if e.Type()&fs.ModeSymlink != 0 {
			at, err := os.Stat(path)
			if err != nil || at.IsDir() && !o.Folders {
				return nil
			}
			if at.IsDir() {
				key += "/"
			}
		}
		if strings.HasPrefix(key, prefix) && key > o.After {
			found = append(found, key)
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}
