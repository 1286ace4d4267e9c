package sqlbackend

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/tables"
)

// realCollections are files of documents beside the repository, if they are there.
const realCollections = "../../shared/data"

var choiceDocuments = flag.Int("choice-documents", 3000, "how many documents TestChosenPath's collection of orders has")

// skewedOrder is a document of which some values are in most documents and some in few,
// some go together and some don't.
func skewedOrder(r *rand.Rand, i int) string {
	customer := int(r.ExpFloat64() * 40)
	country := []string{"se", "no", "dk", "fi", "is"}[min(4, int(r.ExpFloat64()*1.2))]
	status := "done"
	if r.IntN(2) == 0 {
		status = "pending"
	}
	city := fmt.Sprintf("%s-%d", country, r.IntN(6))
	return fmt.Sprintf(`{"_id":"k%06d","status":%q,"customer":%d,"country":%q,"address":{"city":%q},"price":%d,`+
		`"day":%d,"tags":["t%d","t%d","t%d"],"paid":%t,"payload":"%040d"}`,
		i, status, customer, country, city, r.IntN(1000), i/20, int(r.ExpFloat64()*4), int(r.ExpFloat64()*4), r.IntN(50),
		status == "done" && r.IntN(5) > 0, i)
}

func skewedCondition(r *rand.Rand) string {
	switch r.IntN(11) {
	case 0:
		return "status = 'pending'"
	case 1:
		return fmt.Sprintf("customer = %d", r.IntN(200))
	case 2:
		return fmt.Sprintf("country = '%s'", []string{"se", "no", "dk", "fi", "is"}[r.IntN(5)])
	case 3:
		return fmt.Sprintf("`address.city` = 'se-%d'", r.IntN(7))
	case 4:
		low := r.IntN(1000)
		return fmt.Sprintf("price BETWEEN %d AND %d", low, low+r.IntN(200))
	case 5:
		return fmt.Sprintf("day >= %d", r.IntN(160))
	case 6:
		return fmt.Sprintf("'t%d' MEMBER OF (tags)", r.IntN(20))
	case 7:
		return fmt.Sprintf("customer IN (%d, %d, %d)", r.IntN(50), r.IntN(100), r.IntN(200))
	case 8:
		return "paid"
	case 9:
		return fmt.Sprintf("(customer = %d OR price = %d)", r.IntN(100), r.IntN(1000))
	}
	low := r.IntN(3000)
	return fmt.Sprintf("_id BETWEEN 'k%06d' AND 'k%06d'", low, low+r.IntN(1000))
}

func restaurantCondition(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	switch r.IntN(6) {
	case 0:
		return "borough = '" + pick("Manhattan", "Queens", "Brooklyn", "Bronx", "Staten Island") + "'"
	case 1:
		return "cuisine = '" + pick("American ", "Bakery", "Chinese", "Irish", "Pizza", "Thai", "Ethiopian", "Swedish") + "'"
	case 2:
		return "`address.zipcode` = '" + pick("10462", "10019", "11201", "10003", "10036") + "'"
	case 3:
		return fmt.Sprintf("restaurant_id < '%d'", 30000000+r.IntN(12000000))
	case 4:
		return "name LIKE '" + pick("S", "Mc", "The", "Wil", "D") + "%'"
	}
	return "`address.zipcode` > '" + pick("10400", "11000", "11300") + "'"
}

// weight is what a statement has read in units of the costs.
func weight(w tables.Work, scanned bool) float64 {
	document := 2.0
	if scanned {
		document = 1.0
	}
	return 0.05*float64(w.Entries) + document*float64(w.Documents)
}

// TestChosenPath compares the path of each of many statements with all others that its
// table could be read along, by trying them: what is read, and what that costs. It
// prints how the ratios to the best single one are spread.
func TestChosenPath(t *testing.T) {
	p := newInProcess(t, "store", inMemory())
	session := p.session
	run := func(query string) tables.Work {
		t.Helper()
		_, read := p.run(query)
		return read
	}
	load := func(table string, documents []string) {
		run("CREATE TABLE " + table + " (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
		for chunk := range slices.Chunk(documents, 250) {
			run("INSERT INTO " + table + " (_doc) VALUES ('" + strings.Join(chunk, "'), ('") + "')")
		}
	}
	r := rand.New(rand.NewPCG(12, 1))
	var orders []string
	for i := range *choiceDocuments {
		orders = append(orders, skewedOrder(r, i))
	}
	load("orders", orders)
	statement := func(table, column string, condition func(*rand.Rand) string) string {
		conditions := []string{condition(r), condition(r)}
		for r.IntN(2) == 0 {
			conditions = append(conditions, condition(r))
		}
		return "SELECT " + column + " FROM " + table + " WHERE " + strings.Join(conditions, " AND ")
	}
	var statements []string
	for range 150 {
		statements = append(statements, statement("orders", "payload", skewedCondition))
	}
	if documents := readLines(t, filepath.Join(realCollections, "mongo_primer_restaurants.jsonl"),
		2500); documents != nil {
		load("restaurants", documents)
		for range 100 {
			statements = append(statements, statement("restaurants", "grades", restaurantCondition))
		}
	}
	var keys, costs []float64
	intersections := 0
	for _, query := range statements {
		var choice costing.Choice
		usable := []int{-1}
		session.Choose = func(n int64, c []costing.Candidate, e []costing.Estimate) costing.Choice {
			choice = costing.Choose(n, c, e)
			usable = []int{-1}
			for i, why := range choice.Why {
				if !strings.HasPrefix(why.Text, "unusable") {
					usable = append(usable, i)
				}
			}
			return choice
		}
		choice.Chosen = -1
		got := run(query)
		scans := choice.Chosen < 0
		bestKeys, bestCost := -1.0, -1.0
		var tried []string
		for _, forced := range usable {
			primary := false
			session.Choose = func(n int64, c []costing.Candidate, e []costing.Estimate) costing.Choice {
				primary = forced >= 0 && c[forced].PrimaryKey
				return costing.Choice{Chosen: forced, Why: make([]costing.Reason, len(c))}
			}
			w := run(query)
			if forced == choice.Chosen {
				scans = scans || primary
			}
			k, c := float64(w.Entries+w.Documents), weight(w, forced < 0 || primary)
			tried = append(tried, fmt.Sprintf("%d: %+v", forced, w))
			if bestKeys < 0 || k < bestKeys {
				bestKeys = k
			}
			if bestCost < 0 || c < bestCost {
				bestCost = c
			}
		}
		session.Choose = costing.Choose
		ofCost := (weight(got, scans) + 1) / (bestCost + 1)
		costs = append(costs, ofCost)
		ofKeys := 1.0
		if len(choice.Members) > 0 {
			intersections++
		} else {
			ofKeys = (float64(got.Entries+got.Documents) + 1) / (bestKeys + 1)
			keys = append(keys, ofKeys)
		}
		if ofCost >= 1.5 || ofKeys >= 1.5 {
			t.Errorf("%s: read %+v along %d %v, %.2f times the keys and %.2f times the cost of the best: %v", query, got,
				choice.Chosen, choice.Members, ofKeys, ofCost, tried)
		}
	}
	for _, of := range []struct {
		name   string
		ratios []float64
	}{{"keys, of statements that read one path", keys}, {"cost, of all", costs}} {
		slices.Sort(of.ratios)
		at := func(share float64) float64 { return of.ratios[int(share*float64(len(of.ratios)-1))] }
		t.Logf("%s: %d statements, least %.2f, median %.2f, 90%% %.2f, 99%% %.2f, worst %.2f", of.name, len(of.ratios), at(0),
			at(0.5), at(0.9), at(0.99), at(1))
		if at(0.5) > 1 || at(1) >= 1.5 {
			t.Errorf("%s: median %.2f, worst %.2f", of.name, at(0.5), at(1))
		}
	}
	t.Logf("%d intersections", intersections)
}

// readLines is the first lines of a file, fit for a string literal and with their numbers
// as keys; nil if there is no such file.
func readLines(t *testing.T, path string, most int) []string {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	lines := bufio.NewScanner(f)
	for len(out) < most && lines.Scan() {
		text := strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(lines.Text())
		out = append(out, fmt.Sprintf(`{"_id":"r%05d",%s`, len(out), strings.TrimPrefix(text, "{")))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
