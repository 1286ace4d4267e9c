package buckets

import (
	"fmt"
	"strings"
	"testing"
)

// The files of these tests are those of Sengo's description of its layout, S3 Index Design.

// TestSengoSingle: a bucket that Sengo made is a table with its index, and what is written is there for Sengo.
func TestSengoSingle(t *testing.T) {
	b := start(t, nil)
	const milo, milo2 = "64a1f2c3e4b5d6789a0b1c2d", "64a1f2c3e4b5d6789a0b1c2e"
	const bella, bella2 = "64a1f2c3e4b5d6789a0b1c2f", "64a1f2c3e4b5d6789a0b1c30"
	files := map[string]string{
		"pets/indices/name_1.json":       `{"name": "name_1", "keys": [{ "field": "name", "order": 1 }]}`,
		"pets/indices/name_1/Milo.json":  `["` + milo + `", "` + milo2 + `"]`,
		"pets/indices/name_1/Bella.json": `["` + bella + `", "` + bella2 + `"]`,
	}
	for id, name := range map[string]string{milo: "Milo", milo2: "Milo", bella: "Bella", bella2: "Bella"} {
		files["pets/data/"+id+".json"] = `{"_id": "` + id + `", "name": "` + name + `"}`
	}
	b.put(files)
	b.create("pets", "")
	b.is("SELECT index_name, column_name, cardinality FROM information_schema.statistics WHERE table_name = 'pets'",
		"PRIMARY _id NULL; name_1 name NULL")
	b.costs("SELECT name FROM pets WHERE _id = '"+milo+"'", "Milo", 1, 0)
	b.costs("SELECT _id, name FROM pets WHERE name = 'Milo'", milo+" Milo; "+milo2+" Milo", 3, 0)
	b.costs("SELECT COUNT(*) FROM pets WHERE name = 'Milo'", "2", 1, 0)
	b.costs("SELECT _id FROM pets WHERE name = 'Bella'", bella+"; "+bella2, 1, 0)
	b.costs("SELECT EXISTS (SELECT 1 FROM pets WHERE name = 'Milo')", "1", 1, 0)
	b.costs("SELECT COUNT(*) FROM pets WHERE name IN ('Milo', 'Bella')", "4", 2, 0)
	b.costs("SELECT COUNT(*) FROM pets WHERE name = 'milo'", "0", 2, 0) // whether the index is there still
	b.costs("SELECT _id FROM pets WHERE _id LIKE '64a1f2c3e4b5d6789a0b1c2%' ORDER BY _id",
		milo+"; "+milo2+"; "+bella, 0, 1)
	b.costs("SELECT COUNT(*) FROM pets", "4", 0, 1)

	b.run(`INSERT INTO pets (_doc) VALUES ('{"_id": "new", "name": "Milo"}')`)
	if have := b.file("pets/indices/name_1/Milo.json"); have != `["`+milo+`", "`+milo2+`", "new"]` {
		t.Error(have)
	}
	b.run("UPDATE pets SET name = 'Luna' WHERE name = 'Bella'", "DELETE FROM pets WHERE _id = 'new'")
	if have := b.file("pets/indices/name_1/Bella.json"); have != "" {
		t.Error(have)
	}
	b.is("SELECT _id FROM pets WHERE name = 'Luna'", bella+"; "+bella2)
	b.is("CHECK TABLE pets", "d.pets check status OK")
	b.put(map[string]string{"pets/indices/name_1/Rex.json": `["nobody"]`})
	if have := b.rows("CHECK TABLE pets"); !strings.Contains(have, "Rex.json: ") || !strings.HasSuffix(have, "Corrupt") {
		t.Error(have)
	}
}

// TestSengoCompound: the compound indexes of its examples, of two fields and of three.
func TestSengoCompound(t *testing.T) {
	b := start(t, nil)
	files := map[string]string{
		"tasks/indices/category_1_priority_1.json": `{"name": "category_1_priority_1",
			"keys": [{"field": "category", "order": 1}, {"field": "priority", "order": 1}]}`,
		"tasks/indices/category_1_status_1_priority_1.json": `{"name": "category_1_status_1_priority_1",
			"keys": [{"field": "category", "order": 1}, {"field": "status", "order": 1}, {"field": "priority", "order": 1}]}`,
	}
	var work, active []string
	for i := range 40 {
		id := fmt.Sprintf("id%02d", i)
		status := "active"
		if i%4 == 3 {
			status = "done"
		}
		files["tasks/data/"+id+".json"] = fmt.Sprintf(`{"_id": "%s", "category": "work", "status": "%s", "priority": %d}`, id,
			status, i)
		work = append(work, `"`+id+`"`)
		if status == "active" {
			active = append(active, `"`+id+`"`)
		} else {
			files["tasks/indices/category_1_status_1_priority_1/work|done.json"] += `,"` + id + `"`
		}
	}
	done := "tasks/indices/category_1_status_1_priority_1/work|done.json"
	files[done] = "[" + strings.TrimPrefix(files[done], ",") + "]"
	files["tasks/indices/category_1_priority_1/work.json"] = "[" + strings.Join(work, ", ") + "]"
	files["tasks/indices/category_1_status_1_priority_1/work|active.json"] = "[" + strings.Join(active, ",") + "]"
	b.put(files)
	b.create("tasks", "")
	// One entry and five documents; and the entry once more, that nothing has moved meanwhile.
	b.costs("SELECT _id FROM tasks WHERE category = 'work' ORDER BY priority LIMIT 5",
		"id00; id01; id02; id03; id04", 7, 0)
	b.costs("SELECT _id FROM tasks WHERE category = 'work' ORDER BY priority DESC LIMIT 5",
		"id39; id38; id37; id36; id35", 7, 0)
	b.costs("SELECT _id FROM tasks WHERE category = 'work' AND status = 'active' ORDER BY priority LIMIT 3",
		"id00; id01; id02", 5, 0)
	b.costs("SELECT COUNT(*) FROM tasks WHERE category = 'work' AND status = 'done'", "10", 1, 0)
	before := b.count.Requests()
	b.is("SELECT _id FROM tasks WHERE category = 'work' AND priority BETWEEN 10 AND 12 ORDER BY _id", "id10; id11; id12")
	if r := b.count.Requests().Minus(before); r.Gets > 30 || r.Lists > 0 {
		t.Errorf("an interval costs %+v", r)
	}
	b.is("SELECT status, COUNT(*), MIN(priority) FROM tasks WHERE category = 'work' GROUP BY status ORDER BY status",
		"active 30 0; done 10 3")
	b.is("CHECK TABLE tasks", "d.tasks check status OK")
}
