package catalog

// TableByID finds the table whose collection has this number. There is none
// once the table was dropped or truncated.
func (v *View) TableByID(id int64) (*Table, bool) {
	for _, t := range v.own.All() {
		if t.ID == id {
			return t, true
		}
	}
	for _, d := range v.s.databases {
		for _, t := range d.tables {
			if t.ID == id {
				v.uses.note(t.Database, t.Name, false)
				return t, true
			}
		}
	}
	return nil, false
}
