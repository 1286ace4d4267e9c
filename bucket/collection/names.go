package collection

import (
	"context"
	"strings"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Exists reports whether a store has a collection of that name: documents, or our files beside them.
func Exists(ctx context.Context, st store.Store, name string) (bool, error) {
	folder, err := layout.Name(name)
	if err != nil {
		return false, err
	}
	return exists(ctx, st, folder)
}

func exists(ctx context.Context, st store.Store, folder layout.Collection) (bool, error) {
	for _, prefix := range []string{folder.Data(), folder.Own()} {
		page, err := st.List(ctx, prefix, store.ListOptions{Limit: 1})
		if err != nil || len(page.Objects) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// Names are the collections of a store: its folders that hold one.
func Names(ctx context.Context, st store.Store) ([]string, error) {
	var names []string
	o := store.ListOptions{Folders: true}
	for {
		page, err := st.List(ctx, "", o)
		if err != nil {
			return nil, err
		}
		for _, prefix := range page.Prefixes {
			folder := strings.TrimSuffix(prefix, "/")
			name, ok := layout.NameOf(folder)
			if !ok {
				continue
			}
			if ok, err = exists(ctx, st, layout.Collection(folder)); err != nil {
				return nil, err
			}
			if ok {
				names = append(names, name)
			}
		}
		if o.After, o.Rest = page.After, page.Rest; o.After == "" {
			return names, nil
		}
	}
}
