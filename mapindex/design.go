package mapindex

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
)

// Errors of design documents.
var (
	// ErrDesign: a text that is no design document.
	ErrDesign = errors.New("not a design document")
	// ErrUnsupported: a design document with something that is not there.
	ErrUnsupported = errors.New("not supported")
)

// Design is a design document of CouchDB, as far as it is about views.
type Design struct {
	catalog.Map
	Deleted bool
	// Reduces are the names of the views whose reduce function is none of CouchDB's own.
	Reduces []string
}

// ParseDesign reads a design document. It fails with ErrDesign, ErrUnsupported, or sandbox.ErrSyntax.
func ParseDesign(text string) (Design, error) {
	var raw struct {
		ID       string                     `json:"_id"`
		Deleted  bool                       `json:"_deleted"`
		Language string                     `json:"language"`
		Options  json.RawMessage            `json:"options"`
		Views    map[string]json.RawMessage `json:"views"`
	}
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return Design{}, fmt.Errorf("%w: %w", ErrDesign, err)
	}
	name, ok := strings.CutPrefix(raw.ID, "_design/")
	if !ok || name == "" {
		return Design{}, fmt.Errorf("%w: its _id is %q, not \"_design/\" and a name", ErrDesign, raw.ID)
	}
	d := Design{Map: catalog.Map{Name: name, Design: text}, Deleted: raw.Deleted}
	if d.Deleted {
		return d, nil
	}
	if raw.Language != "" && raw.Language != "javascript" {
		return d, fmt.Errorf("%w: the language %q", ErrUnsupported, raw.Language)
	}
	var err error
	if d.Interactive, err = interactive(raw.Options); err != nil {
		return d, err
	}
	var names []string
	for view := range raw.Views {
		names = append(names, view)
	}
	slices.Sort(names)
	for _, view := range names {
		if view == "lib" {
			return d, fmt.Errorf("%w: views.lib, since functions can't require anything", ErrUnsupported)
		}
		var functions struct {
			Map    string          `json:"map"`
			Reduce json.RawMessage `json:"reduce"`
		}
		if err := json.Unmarshal(raw.Views[view], &functions); err != nil {
			return d, fmt.Errorf("%w: the view %q: %w", ErrDesign, view, err)
		}
		if functions.Map == "" {
			return d, fmt.Errorf("%w: the view %q has no map function", ErrDesign, view)
		}
		if _, err := sandbox.Compile(functions.Map); err != nil {
			return d, fmt.Errorf("the view %q: %w", view, err)
		}
		v := catalog.MapView{Name: view, Function: functions.Map}
		_ = json.Unmarshal(functions.Reduce, &v.Reduce) // a value that is no text is no function
		if v.Reduce != "" && !strings.HasPrefix(v.Reduce, "_") {
			d.Reduces = append(d.Reduces, view)
		}
		d.Views = append(d.Views, v)
	}
	if len(d.Views) == 0 {
		return d, fmt.Errorf("%w: it has no views", ErrDesign)
	}
	return d, nil
}

// interactive reads the option of that name, of an object or of a list of objects.
func interactive(raw json.RawMessage) (bool, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return false, nil
	}
	var list []map[string]any
	if err := json.Unmarshal(raw, &list); err != nil {
		list = make([]map[string]any, 1)
		if err := json.Unmarshal(raw, &list[0]); err != nil {
			return false, fmt.Errorf("%w: its options: %w", ErrDesign, err)
		}
	}
	out := false
	for _, options := range list {
		for name, v := range options {
			on, ok := v.(bool)
			switch {
			case name == "interactive" && ok:
				out = out || on
			case (name == "include_design" || name == "local_seq" || name == "partitioned") && ok && !on:
			default:
				return false, fmt.Errorf("%w: the option %q with %v", ErrUnsupported, name, v)
			}
		}
	}
	return out, nil
}
