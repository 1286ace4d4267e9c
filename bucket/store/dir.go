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
	"syscall"
	"time"
)

// Dir is a folder whose files are the objects. Keys are paths below it, so the file system must tell upper from lower
// case. Conditions hold between the processes of one machine: they change files one at a time, under a lock.
type Dir struct {
	root string
	mu   sync.Mutex
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
	return &Dir{root: root}, nil
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
	o, _, err := d.read(key)
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

// Put implements Store.
func (d *Dir) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	path, err := d.path(key)
	if err != nil {
		return "", err
	}
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
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return replaceFile(path, body)
	})
	if err != nil {
		return "", err
	}
	return tagOf(body), nil
}

// replaceFile writes a file so that it is there whole or not at all, whatever happens, and is there once it returns.
func replaceFile(path string, body []byte) error {
	// os.CreateTemp would make it for its owner alone; so it is as the umask says.
	name := filepath.Join(filepath.Dir(path), hidden+rand.Text())
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	_, err = f.Write(body)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
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
	return d.locked(ctx, func() error {
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
		if err := os.Remove(path); err != nil {
			return err
		}
		return syncFolder(filepath.Dir(path))
	})
}

// List implements Store.
func (d *Dir) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, err
	}
	folder := ""
	if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
		folder = prefix[:i]
	}
	var found []Info
	// WalkDir does not go through a link; it may stand for the folder, or for one on the way to it.
	root, err := filepath.EvalSymlinks(filepath.Join(d.root, filepath.FromSlash(folder)))
	if missing(err) {
		return Page{}, nil
	}
	if err != nil {
		return Page{}, err
	}
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
			// What lies deeper than a folder that is told as one is looked at only for whether there is anything.
			return nil
		}
		if o.Folders && e.Type()&fs.ModeSymlink != 0 {
			if at, err := os.Stat(path); err == nil && at.IsDir() {
				key += "/"
			}
		}
		if strings.HasPrefix(key, prefix) && key > o.After {
			found = append(found, Info{Key: key})
		}
		return nil
	})
	if err != nil {
		return Page{}, err
	}
	slices.SortFunc(found, func(a, b Info) int { return strings.Compare(a.Key, b.Key) })
	p := pager{prefix: prefix, o: o}
	for _, info := range found {
		if !p.add(info) {
			break
		}
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
