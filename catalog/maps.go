package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Map is a definition of map indexes that belong together: a map index with one view, or a design document.
type Map struct {
	// Name is the map index's, or the design document's without `_design/`.
	Name string
	// Design is the text of the design document; empty for a map index.
	Design      string `json:",omitempty"`
	Interactive bool   `json:",omitempty"`
	Views       []MapView
	// Group is the number of the group that has the rows.
	Group int64
	// Next is the definition that takes this one's place when its group is built.
	Next *Map `json:",omitempty"`
}

// MapView is a view: a named function.
type MapView struct {
	Name     string
	Function string
	// Reduce is the design document's text for it; SQL's aggregates do its work.
	Reduce string `json:",omitempty"`
}

// MapGroup is the stored rows of the map indexes of one signature.
type MapGroup struct {
	Number      int64
	Signature   string   // hexadecimal digits
	Functions   []string // distinct, sorted
	Interactive bool     `json:",omitempty"`
	// Long: long keys are cut in the store, and the list of a document's rows may take several of its values. Older
	// groups have neither.
	Long bool `json:",omitempty"`
	// Building is the number of a job that makes the rows of documents older than the group. Parts are the numbers of
	// further such jobs, each for a part of the documents. They are 0 and none when the rows are there.
	Building int64   `json:",omitempty"`
	Parts    []int64 `json:",omitempty"`
	// Error is why one of these jobs has ended before its work was done: the group will never be built.
	Error string `json:",omitempty"`
}

// Builders are the jobs that make the rows of documents older than the group.
func (g *MapGroup) Builders() []int64 {
	if g.Building == 0 {
		return nil
	}
	return append([]int64{g.Building}, g.Parts...)
}

// SetBuilders notes the jobs that make the rows.
func (g *MapGroup) SetBuilders(jobs []int64) {
	g.Building, g.Parts = 0, nil
	if len(jobs) > 0 {
		g.Building, g.Parts = jobs[0], slices.Clone(jobs[1:])
	} else {
		g.Error = ""
	}
}

// Errors of maps.
var (
	// ErrNoMap: there is none.
	ErrNoMap = errors.New("no map index has this name")
	// ErrMapsTooLong: the functions of a table are longer than its definition takes.
	ErrMapsTooLong = errors.New("the map indexes of the table have too much text")
)

// maxMapText is how many bytes of maps a table's definition takes, all together.
const maxMapText = 40_000

// signatureOf names the rows of functions: equal ones share them. The functions are distinct and sorted.
func signatureOf(functions []string, interactive bool) string {
	h := sha256.New()
	for _, part := range append([]string{"javascript", fmt.Sprint(interactive)}, functions...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// functions are the distinct functions of a map, sorted.
func (m *Map) functions() []string {
	var out []string
	for _, v := range m.Views {
		out = append(out, v.Function)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// FindMap finds a map index, or a design document, by name, ignoring case.
func (t *Table) FindMap(name string, design MapKind) (*Map, bool) {
	for i := range t.Maps {
		if m := &t.Maps[i]; strings.EqualFold(m.Name, name) && (m.Design != "") == (design == MapDesign) {
			return m, true
		}
	}
	return nil, false
}

// MapKind is the way in which a map was defined.
type MapKind uint8

// Kinds of maps.
const (
	MapIndex  MapKind = iota // CREATE MAP INDEX
	MapDesign                // a design document
)

// GroupOf finds a group by its number.
func (t *Table) GroupOf(number int64) (*MapGroup, bool) {
	for i := range t.MapGroups {
		if t.MapGroups[i].Number == number {
			return &t.MapGroups[i], true
		}
	}
	return nil, false
}

// ViewIn is the place of a view's function in its group.
func (g *MapGroup) ViewIn(v *MapView) (int64, bool) {
	i := slices.Index(g.Functions, v.Function)
	return int64(i), i >= 0
}

// PutMap adds a map, or with a name that is there lets it follow on that one: at once if its rows are there, else when
// its group is built. It returns the group, and whether it is a new one, whose rows are still to be made.
func (t *Table) PutMap(m Map) (group *MapGroup, fresh bool, err error) {
	functions := m.functions()
	signature := signatureOf(functions, m.Interactive)
	at := slices.IndexFunc(t.MapGroups, func(g MapGroup) bool { return g.Signature == signature && g.Long })
	if fresh = at < 0; fresh {
		t.LastMap++
		at = len(t.MapGroups)
		t.MapGroups = append(t.MapGroups, MapGroup{Number: t.LastMap, Signature: signature, Functions: functions,
			Interactive: m.Interactive, Long: true})
	}
	m.Group, m.Next = t.MapGroups[at].Number, nil
	if was, ok := t.FindMap(m.Name, m.kind()); !ok {
		t.Maps = append(t.Maps, m)
	} else if now, _ := t.GroupOf(was.Group); fresh && now.Building == 0 {
		was.Next = &m
	} else {
		*was = m
	}
	text, err := json.Marshal(struct{ A, B any }{t.Maps, t.MapGroups})
	if err != nil {
		return nil, false, fmt.Errorf("catalog: maps of %s: %w", t, err)
	}
	if len(text) > maxMapText {
		return nil, false, fmt.Errorf("catalog: %s: %w: %d bytes, the limit is %d", t, ErrMapsTooLong, len(text),
			maxMapText)
	}
	return &t.MapGroups[at], fresh, nil
}

func (m *Map) kind() MapKind {
	if m.Design != "" {
		return MapDesign
	}
	return MapIndex
}

// DropMap removes a map.
func (t *Table) DropMap(name string, design MapKind) error {
	before := len(t.Maps)
	t.Maps = slices.DeleteFunc(t.Maps, func(m Map) bool {
		return strings.EqualFold(m.Name, name) &&
			m.kind() == design
	})
	if len(t.Maps) == before {
		return fmt.Errorf("catalog: %s of %s: %w", name, t, ErrNoMap)
	}
	return nil
}

// MapLost notes that a job which makes rows of a group has ended before its work was done.
func (t *Table) MapLost(job int64, why string) {
	for i := range t.MapGroups {
		if g := &t.MapGroups[i]; slices.Contains(g.Builders(), job) {
			g.Error = why
		}
	}
}

// MapPartBuilt notes that a job has made its rows of a group. Once all jobs have, an interactive group is built. A
// background group's rows are then as of the change that it has followed to.
func (t *Table) MapPartBuilt(group, job int64) {
	g, ok := t.GroupOf(group)
	if !ok {
		return
	}
	left := slices.DeleteFunc(g.Builders(), func(n int64) bool { return n == job })
	if g.SetBuilders(left); len(left) == 0 && g.Interactive {
		t.MapBuilt(group)
	}
}

// MapBuilt puts maps in the place of the maps that they replace, once the rows of their group are there.
func (t *Table) MapBuilt(group int64) {
	if g, ok := t.GroupOf(group); ok {
		g.SetBuilders(nil)
	}
	for i := range t.Maps {
		if next := t.Maps[i].Next; next != nil && next.Group == group {
			t.Maps[i] = *next
		}
	}
}

// DropUnusedMaps forgets the groups that no map names and removes their rows. It returns how many there were.
func (t *Table) DropUnusedMaps(w kv.Writer) int {
	used := map[int64]bool{}
	for _, m := range t.Maps {
		used[m.Group] = true
		if m.Next != nil {
			used[m.Next.Group] = true
		}
	}
	before := len(t.MapGroups)
	t.MapGroups = slices.DeleteFunc(t.MapGroups, func(g MapGroup) bool {
		if used[g.Number] {
			return false
		}
		w.ClearRange(t.Keys().Maps(g.Number).All())
		return true
	})
	return before - len(t.MapGroups)
}

// cloneMaps are copies that may be changed.
func (t *Table) cloneMaps(of *Table) {
	t.Maps = slices.Clone(of.Maps)
	for i := range t.Maps {
		t.Maps[i].Views = slices.Clone(t.Maps[i].Views)
		if next := t.Maps[i].Next; next != nil {
			own := *next
			t.Maps[i].Next = &own
		}
	}
	t.MapGroups = slices.Clone(of.MapGroups)
}

// restartMaps makes the maps ready for a new, empty collection, in which nothing is left to build.
func (t *Table) restartMaps() {
	for i := range t.MapGroups {
		t.MapGroups[i].Long = true
		t.MapGroups[i].SetBuilders(nil)
	}
	for i := range t.Maps {
		if next := t.Maps[i].Next; next != nil {
			t.Maps[i] = *next
		}
	}
	used := map[int64]bool{}
	for _, m := range t.Maps {
		used[m.Group] = true
	}
	t.MapGroups = slices.DeleteFunc(t.MapGroups, func(g MapGroup) bool { return !used[g.Number] })
}
