package session

import (
	"slices"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/catalog"
)

// knownMaps caches whether definitions have any map indexes: statements look for them one by one only then.
type knownMaps struct {
	last atomic.Pointer[mapsAt]
}

type mapsAt struct {
	mark catalog.Mark
	any  bool
}

// Any reports that for the definitions of a view.
func (k *knownMaps) Any(view *catalog.View) bool {
	mark := view.Mark()
	at := k.last.Load()
	if at == nil || at.mark != mark {
		at = &mapsAt{mark, slices.ContainsFunc(view.Databases(), func(name string) bool {
			return slices.ContainsFunc(view.Tables(name), func(t *catalog.Table) bool { return len(t.Maps) > 0 })
		})}
		k.last.Store(at)
	}
	return at.any
}
