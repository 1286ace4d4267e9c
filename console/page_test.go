package console

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var pictures = flag.String("pictures", "", "a folder for pictures of what the page looks like")

// enter opens the page and logs root in.
func (b *chromium) enter(p *place) {
	b.t.Helper()
	b.open("http://" + p.address + "/")
	b.until("!document.getElementById('login').hidden")
	b.picture(*pictures, "login")
	b.value("document.getElementById('password').focus()")
	b.press("Enter", 0)
	b.until("!document.getElementById('app').hidden && " +
		"document.querySelector('[role=treeitem], #tree-error:not(:empty)')")
}

// samples are documents of a shop.
func (v *visitor) samples() {
	v.t.Helper()
	var rows []string
	for i := range 2000 {
		note := []string{`,"note":"late"`, `,"note":7`, `,"note":null`, ``, ``}[i%5]
		rows = append(rows, fmt.Sprintf(`('{"_id":"o-%05d","status":"%s","total":%d.%02d,"paid":%t,`+
			`"customer":{"name":"Ä %d","address":{"city":"%s","zipcode":"%04d"}},`+
			`"items":[{"sku":"s%d","price":%d}],"tags":["a"]%s}')`, i,
			[]string{"paid", "shipped", "open"}[i%3], i%900, i%100, i%2 == 0, i%7,
			[]string{"Zürich", "Bern", "Malmö", "Lyon"}[i%4], 1000+i%40, i%20, i%30, note))
	}
	got := v.run(request{SQL: "CREATE DATABASE shop; USE shop; " +
		"CREATE TABLE orders (_id VARCHAR(255) PRIMARY KEY, _doc JSON); " +
		"CREATE TABLE products (_id VARCHAR(255) PRIMARY KEY, _doc JSON);" +
		`INSERT INTO products (_doc) VALUES ('{"_id":"p1","name":"Chair","price":12.50}');` +
		"INSERT INTO orders (_doc) VALUES " + strings.Join(rows, ", ")})
	if strings.Contains(got, "error") {
		v.t.Fatal(got)
	}
}

// TestPage: in a browser, each view shows what it is for.
func TestPage(t *testing.T) {
	b := browse(t)
	p := begin(t, Options{})
	v := p.root()
	v.samples()
	b.look(1280, 860, "light")
	b.enter(p)
	b.until("document.getElementById('editor').value.includes('orders')")

	// Statements.
	b.value("document.getElementById('editor').select()")
	b.write("SELECT _id, status, total, paid, note, `customer.address` IS NULL AS a, _doc, 9007199254740993 AS big " +
		"FROM orders ORDER BY _id LIMIT 300")
	b.press("Enter", 2)
	b.until("document.querySelectorAll('.result tbody tr').length === 200")
	if got := b.text("document.querySelector('.result tbody tr').innerText"); !strings.Contains(got, "9007199254740993") {
		t.Error(got)
	}
	b.until("/300 rows/.test(document.querySelector('#view-sql .status').textContent)")
	b.picture(*pictures, "sql-table")
	b.value("document.querySelector('.choice input:not(:checked)').click()")
	b.until("document.querySelector('.result pre')?.textContent.includes('\"big\": 9007199254740993')")
	b.picture(*pictures, "sql-json")

	// Plans.
	b.value("document.getElementById('editor').select()")
	b.write("SELECT _id, total FROM orders WHERE `customer.address.zipcode` = '1005' AND status = 'paid' AND total > 20")
	b.press("Enter", 2|8)
	b.until("document.querySelector('.plan .way, .plan .ways tr.chosen')")
	b.picture(*pictures, "plan")
	b.value("[...document.querySelectorAll('button')].find(b => b.textContent === 'Run and plan').click()")
	b.until("document.querySelector('.plan .actual')")
	b.picture(*pictures, "plan-analyze")

	// The tree, by its keys.
	b.value("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
	for _, key := range []string{"Home", "ArrowDown", "ArrowRight"} {
		b.press(key, 0)
	}
	b.until("document.querySelectorAll('.keypath').length > 8")
	b.press("ArrowRight", 0)
	if got := b.text("document.activeElement.dataset.id"); got != `["shop","orders","_id"]` {
		t.Error("the focus is on " + got)
	}
	b.press("ArrowLeft", 0)
	if got := b.heard("treeitem"); !slices.Contains(got, "orders, 2\u202f000") || !slices.Contains(got, "total, number") {
		t.Errorf("of the tree is heard: %q", got)
	}
	b.press("Enter", 0)
	b.until("document.querySelector('.keypaths tbody tr')")
	b.picture(*pictures, "collection")
	if got := b.text("document.activeElement.getAttribute('aria-selected')"); got != "true" {
		t.Error("selected: " + got)
	}
	b.value("document.querySelector('.crumbs button').click()")
	b.until("document.querySelector('#view-collections h1').textContent === 'Collections'")
	b.picture(*pictures, "collections")

	// The feed.
	b.value("location.hash = 'changes'")
	b.until("!document.getElementById('view-changes').hidden")
	b.value("document.querySelector('#view-changes button.primary').click()")
	b.until("document.querySelectorAll('.feed tbody tr').length === 20")
	v.run(request{SQL: "UPDATE shop.orders SET status = 'here' WHERE _id = 'o-00007'; " +
		"DELETE FROM shop.orders WHERE _id = 'o-00008'"})
	b.until("document.querySelectorAll('.feed tbody tr').length === 22")
	if got := b.text("document.querySelector('.feed tbody tr').innerText"); !strings.Contains(got, "o-00008") ||
		!strings.Contains(got, "deleted") {
		t.Error(got)
	}
	b.picture(*pictures, "changes")

	// The plots.
	b.value("location.hash = 'server'")
	b.until("/now \\d/.test(document.querySelector('.plot svg').getAttribute('aria-label') ?? '')")
	for range 3 {
		v.run(request{SQL: "SELECT COUNT(*) FROM shop.orders WHERE status LIKE '%a%'; " +
			"UPDATE shop.orders SET total = 1 LIMIT 50"})
	}
	v.run(request{SQL: "SET GLOBAL sqlfdb_jobs = 'hold'; CREATE TABLE shop.m (a INT PRIMARY KEY, b INT); " +
		"INSERT INTO shop.m VALUES (1, 1), (2, 2); ALTER TABLE shop.m MODIFY b VARCHAR(20)"})
	defer v.run(request{SQL: "SET GLOBAL sqlfdb_jobs = 'run'"})
	b.until("/[1-9]/.test([...document.querySelectorAll('.plot')].find(p => p.textContent.startsWith('Background'))" +
		".querySelector('.plot-now').textContent)")
	b.until("document.querySelector('#view-server progress, #view-server .figures')?.closest('.scroll')" +
		".ariaLabel === 'Background work'")
	high := b.value("Math.max(...[...document.querySelectorAll('.plot figcaption')].map(c => c.clientHeight))")
	if high.(float64) > 30 {
		t.Errorf("a plot's name takes more than a line: %v", high)
	}
	b.picture(*pictures, "server")

	// A narrow screen.
	b.look(390, 780, "light")
	for _, view := range []string{"sql", "collections", "changes", "server"} {
		b.value("location.hash = '" + view + "'")
		b.until("!document.getElementById('view-" + view + "').hidden")
		if wide := b.value("document.documentElement.scrollWidth"); wide != float64(390) {
			t.Errorf("%s is %v wide", view, wide)
		}
		b.picture(*pictures, "narrow-"+view)
	}
	b.silent()

	// The end of a log-in.
	b.value("document.getElementById('logout').click()")
	b.until("!document.getElementById('login').hidden && document.getElementById('app').hidden")
}

// TestHostile: names and values that are markup, or quotes, are shown as they are, and statements are made for them.
func TestHostile(t *testing.T) {
	b := browse(t)
	p := begin(t, Options{})
	v := p.root()
	const attack = `<img src=x onerror=document.title='hit'>`
	const quotes = `'";\-- </script><svg onload=document.title='hit'>`
	var names []string
	document := "{"
	for i, key := range []string{attack, quotes, `a.b[*]`, ``, `<b>`, `__proto__`, `constructor`} {
		text, err := json.Marshal(key)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, key)
		document += fmt.Sprintf(`%s%s:{"deep":[{%[2]s:%[2]s}],%[2]s:%d}`, map[bool]string{true: ","}[i > 0], text, i)
	}
	document += "}"
	table := "`t" + attack + "`"
	got := v.run(request{SQL: "CREATE DATABASE `d" + attack + "`; USE `d" + attack + "`; " +
		"CREATE TABLE " + table + " (_id VARCHAR(20) PRIMARY KEY, _doc JSON); " +
		"INSERT INTO " + table + " (_id, _doc) VALUES ('" + strings.ReplaceAll(attack, "'", "''")[:20] + "', '" +
		strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(document) + "')"})
	if strings.Contains(got, "error") {
		t.Fatal(got)
	}
	b.look(1280, 860, "light")
	b.enter(p)
	b.value("[...document.querySelectorAll('.table > .row .name')][0].click()")
	b.until("document.querySelectorAll('.keypaths tbody tr').length > 20")
	b.until("document.querySelectorAll('[role=treeitem].keypath').length > 20")
	for _, name := range names {
		text, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		if b.value(fmt.Sprintf("[...document.querySelectorAll('.keypath .name')].some(n => n.textContent === %s || "+
			"n.textContent === JSON.stringify(%[1]s))", text)) != true {
			t.Errorf("the tree has no %q: %s", name, b.text("document.getElementById('tree').innerText"))
		}
	}
	b.picture(*pictures, "hostile")
	// The statement that is made for each keypath runs.
	count := int(b.value("document.querySelectorAll('.keypaths tbody tr').length").(float64))
	for i := range count {
		b.value("location.hash = 'collections'")
		b.until("!document.getElementById('view-collections').hidden && " +
			"document.getElementById('view-collections').ariaBusy === 'false'")
		b.value(fmt.Sprintf("document.querySelectorAll('.keypaths tbody tr button')[%d].click()", i))
		b.until("!document.getElementById('view-sql').hidden")
		b.press("Enter", 2)
		b.until("document.querySelector('.results .result .choice, .results .error')")
		if failed := b.text("document.querySelector('.results .error')?.textContent ?? ''"); failed != "" {
			t.Errorf("%s\n%s", b.text("document.getElementById('editor').value"), failed)
		}
		b.value("document.querySelector('.results').replaceChildren()")
	}
	b.value("document.getElementById('editor').select()")
	b.write("SELECT '" + strings.ReplaceAll(attack, "'", "''") + "' AS `" + attack + "`; SELECT * FROM `" + attack + "`")
	b.press("Enter", 2)
	b.until("document.querySelector('.results .error')")
	b.value("location.hash = 'changes'")
	b.until("!document.getElementById('view-changes').hidden")
	b.value("document.querySelector('#view-changes button.primary').click()")
	b.until("document.querySelectorAll('.feed tbody tr').length === 1")
	if got := b.value("document.querySelectorAll('img, b > b, script:not([src])').length"); got != float64(0) {
		t.Errorf("%v elements were made of texts", got)
	}
	if title := b.text("document.title"); strings.Contains(title, "hit") {
		t.Error("a text was run")
	}
	// And if something were made of a text after all, the browser refuses to.
	got = b.text("(() => { try { document.body.innerHTML = '<i>' } catch (e) { return e.name } })()")
	if got != "TypeError" {
		t.Errorf("markup can be made of texts: %s", got)
	}
}

// TestKeys: whoever has no mouse comes to everything that can be done, and sees where.
func TestKeys(t *testing.T) {
	b := browse(t)
	p := begin(t, Options{})
	p.root().samples()
	b.look(1280, 860, "light")
	b.enter(p)
	for _, view := range []string{"sql", "collections", "changes", "server"} {
		b.value("location.hash = '" + view + "'")
		b.until("!document.getElementById('view-" + view + "').hidden")
		if view == "collections" {
			b.until("document.querySelector('.tables tbody tr')")
		}
		b.value("document.activeElement.blur()")
		stops := map[string]bool{}
		for range 60 {
			b.press("Tab", 0)
			stop := b.text("(() => { const e = document.activeElement; const s = getComputedStyle(e); const r = " +
				"e.matches('[role=treeitem]') ? getComputedStyle(e.querySelector('.row')) : e.matches('.choice input') ? " +
				"getComputedStyle(e.nextSibling) : s; " +
				"return (r.outlineStyle === 'none' ? 'unseen ' : '') + (e.id || e.textContent.slice(0, 30) || e.className) })()")
			if strings.HasPrefix(stop, "unseen") && stop != "unseen "+b.text("document.body.textContent.slice(0, 30)") {
				t.Errorf("%s: the focus can't be seen: %s", view, stop)
			}
			stops[stop] = true
		}
		var missing []string
		for _, what := range strings.Split(b.text("[...document.querySelectorAll('button, select, input, textarea, a[href], "+
			"[tabindex=\"0\"]')].filter(e => e.checkVisibility() && !e.disabled && e.closest('form') === null)"+
			".map(e => e.id || e.textContent.slice(0, 30) || e.className).join('\\n')"), "\n") {
			if !stops[what] && what != "" {
				missing = append(missing, what)
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s: the tab key does not come to %q, but to %v", view, missing, stops)
		}
		// What can be used has a name for those who don't see it.
		if got := b.text("[...document.querySelectorAll('button, select, input, textarea, [role=region], [role=tree]')]" +
			".filter(e => !(e.textContent.trim() && e.matches('button') || e.labels?.length || e.ariaLabel || e.title || " +
			"e.getAttribute('aria-labelledby'))).map(e => e.outerHTML).join('\\n')"); got != "" {
			t.Errorf("%s: without a name:\n%s", view, got)
		}
	}
}

// TestColours: texts stand out from what is behind them, by the measure of WCAG for small texts.
func TestColours(t *testing.T) {
	b := browse(t)
	b.open("http://" + begin(t, Options{}).address + "/")
	for _, scheme := range []string{"light", "dark"} {
		b.look(1280, 860, scheme)
		got := b.text(`(() => {
			const of = (name) => {
				const text = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
				const [r, g, b] = [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255)
					.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
				return 0.2126 * r + 0.7152 * g + 0.0722 * b;
			};
			const ratio = (a, b) => (Math.max(of(a), of(b)) + 0.05) / (Math.min(of(a), of(b)) + 0.05);
			const pairs = [];
			for (const back of ['back', 'paper', 'sunk', 'accent-soft']) {
				for (const ink of ['ink', 'quiet', 'accent', 'bad', 'good']) pairs.push([ink, back, 4.5]);
			}
			pairs.push(['warn', 'warn-soft', 4.5], ['bad', 'bad-soft', 4.5], ['accent-ink', 'accent', 4.5]);
			return pairs.filter(([a, b, least]) => ratio(a, b) < least)
				.map(([a, b]) => a + ' on ' + b + ': ' + ratio(a, b).toFixed(2)).join(', ');
		})()`)
		if got != "" {
			t.Errorf("%s: %s", scheme, got)
		}
	}
}

// TestSaved: files have every digit, and tell NULL from an empty text.
func TestSaved(t *testing.T) {
	b := browse(t)
	p := begin(t, Options{})
	b.look(1280, 860, "light")
	b.enter(p)
	b.value("URL.createObjectURL = (blob) => { window.saved = blob; return 'blob:none' }; " +
		"HTMLAnchorElement.prototype.click = function () { window.named = this.download }")
	b.value("document.getElementById('editor').select()")
	b.write(`SELECT 12345678901234567890 AS n, NULL AS x, '' AS e, 'a "b", c' AS q, ` +
		`CAST('{"k":1.10,"z":[12345678901234567890123]}' AS JSON) AS j, 0.10 AS d, '<b>' AS "t"`)
	b.press("Enter", 2)
	b.until("document.querySelector('.choice')")
	for button, want := range map[string]string{
		"Download CSV": "result.csv n,x,e,q,j,d,t\r\n12345678901234567890,,\"\",\"a \"\"b\"\", c\"," +
			"\"{\"\"k\"\":1.10,\"\"z\"\":[12345678901234567890123]}\",0.10,<b>\r\n",
		"Download JSON": "result.json [\n{\"n\":12345678901234567890,\"x\":null,\"e\":\"\",\"q\":\"a \\\"b\\\", c\"," +
			"\"j\":{\"k\":1.10,\"z\":[12345678901234567890123]},\"d\":0.10,\"t\":\"<b>\"}\n]\n",
	} {
		b.value("[...document.querySelectorAll('button')].find(b => b.textContent === '" + button + "').click()")
		if got := b.text("window.saved.text().then((text) => window.named + ' ' + text)"); got != want {
			t.Errorf("%s:\n%q\nwant:\n%q", button, got, want)
		}
	}
}

// TestBrowserStops: a statement ends by Esc, by the button, and when its tab goes; the page says so.
func TestBrowserStops(t *testing.T) {
	b := browse(t)
	p := begin(t, Options{})
	v := p.root()
	running := func() bool {
		return strings.Contains(v.run(request{SQL: "SELECT statement FROM sqlfdb.processes"}), "SLEEP")
	}
	b.look(1280, 860, "light")
	b.enter(p)
	for _, end := range []func(){
		func() { b.press("Escape", 0) },
		func() {
			b.value("[...document.querySelectorAll('button')].find(b => b.textContent === 'Stop').click()")
		},
		func() { b.open("about:blank") },
	} {
		b.value("document.getElementById('editor').focus()")
		b.value("document.getElementById('editor').select()")
		b.write("SELECT SLEEP(600)")
		b.press("Enter", 2)
		eventually(t, "it does not run", running)
		end()
		eventually(t, "it runs on", func() bool { return !running() })
		if b.text("location.protocol") == "http:" {
			b.until("/^Stopped after/.test(document.querySelector('#view-sql .status').textContent)")
		}
	}
}
