package lint

import (
	"regexp"
	"slices"
)

// The packages that most others may use: the store's interface with the
// encodings, and what says how a value and a key are spelled.
var (
	store    = []string{"kv", "kv/tuple", "kv/overlay", "kv/longread", "kv/ahead"}
	spelling = []string{"keyspace", "document", "collation", "ordered"}
	rows     = []string{"catalog", "indexes", "costing", "changes", "mapindex", "tables"}
	engines  = []string{"kv/pebblekv", "kv/fdbkv"}
	// Tests of a package that stands on a store open the embedded engine, and
	// make it fail with injected faults. The package itself knows no engine.
	inTests = []string{"kv/pebblekv", "kv/kvtest", "kv/faultkv", "kv/latencykv", "kv/tuple", "kv/overlay", "internal/processor", "internal/testseed"}
)

// House is the import table of this repository. A new package gets its line
// here, from the bottom upwards.
var House = Table{
	Places: []Place{
		{Path: "kv", InTests: inTests,
			Reason: "the store's contract knows no engine, no encoding and nothing above it"},
		{Path: "kv/tuple", InTests: []string{"kv"},
			Reason: "the tuple encoding is FoundationDB's and knows nothing of this product"},
		{Path: "kv/overlay", May: []string{"kv"}, InTests: inTests,
			Reason: "the overlay merges writes over any engine's reader and knows no key by its meaning"},
		{Path: "kv/longread", May: []string{"kv"}, InTests: inTests,
			Reason: "a longer read is made of the store's transactions, whatever engine is below and whatever the keys mean"},
		{Path: "kv/ahead", May: []string{"kv"}, InTests: inTests,
			Reason: "what is read ahead is the keys of whoever knows them, whatever they mean and whatever engine is below"},
		{Path: "kv/kvtest", May: []string{"kv", "kv/tuple", "internal/testseed"},
			Reason: "the suite is the contract of kv, so it may rest on nothing that rests on kv"},
		{Path: "kv/pebblekv", May: []string{"kv"}, InTests: []string{"kv/kvtest", "kv/tuple", "internal/testseed"},
			Reason: "an engine implements kv and knows no key by its meaning"},
		{Path: "kv/fdbkv", May: []string{"kv"}, InTests: []string{"kv/kvtest", "kv/tuple", "internal/fdbserver"},
			Reason: "an engine implements kv and knows no key by its meaning"},
		{Path: "kv/kvopen", May: join([]string{"kv", "lanes"}, engines),
			Reason: "one place turns the name of a store into an engine's; what is above gets a store"},
		{Path: "kv/faultkv", May: []string{"kv"}, InTests: inTests,
			Reason: "faults are injected at the interface, whatever engine is below"},
		{Path: "kv/latencykv", May: []string{"kv"}, InTests: inTests,
			Reason: "distance is injected at the interface, whatever engine is below"},

		{Path: "document", InTests: []string{"internal/processor"},
			Reason: "JSON values and keypaths are pure: no store, no collation, no SQL"},
		{Path: "collation", InTests: []string{"internal/testseed"},
			Reason: "a sort key is a function of a string and a locale alone"},
		{Path: "ordered", May: []string{"collation", "document"}, InTests: []string{"kv/tuple", "internal/testseed"},
			Reason: "encoded values are pure: which key they stand in is keyspace's matter"},
		{Path: "keyspace", May: []string{"kv", "kv/tuple"},
			Reason: "keys are joined from parts that are encoded already"},
		{Path: "lanes", May: []string{"kv", "keyspace"}, InTests: join(inTests, []string{"costing"}),
			Reason: "how counters lie in a cluster is a matter of keys, whatever is counted and whatever engine is below"},

		{Path: "catalog", May: join(store, spelling), InTests: inTests,
			Reason: "the catalog says what there is; it may not know how documents, entries or changes are kept"},
		{Path: "indexes", May: join(store, spelling, []string{"catalog"}), InTests: inTests,
			Reason: "entries and spans know neither costs nor who reads them"},
		{Path: "costing", May: join(store, spelling, []string{"catalog", "indexes"}), InTests: inTests,
			Reason: "the choice of access path rests on counts and spans; it reads no document"},
		{Path: "changes", May: join(store, spelling, []string{"catalog"}), InTests: inTests,
			Reason: "the log of changes knows neither entries nor costs"},
		{Path: "mapindex/sandbox",
			Reason: "what a function emits follows from its text and a document: no store, no key"},
		{Path: "mapindex", May: join(store, spelling, []string{"catalog", "costing", "mapindex/sandbox"}), InTests: inTests,
			Reason: "rows of map indexes know neither records nor SQL"},
		{Path: "tables", May: join(store, spelling, []string{"catalog", "indexes", "costing", "changes", "mapindex"}), InTests: inTests,
			Reason: "the one writer of documents knows no SQL and no engine"},
		{Path: "jobs", May: join(store, spelling, rows), InTests: inTests,
			Reason: "background steps know no SQL and no engine"},

		{Path: "sqlbackend/pushdown", May: []string{"document", "collation", "ordered", "catalog", "indexes", "costing"},
			InTests: []string{"keyspace", "internal/testseed"},
			Reason:  "the way from a predicate to spans is pure: it opens no transaction and reads no key"},
		{Path: "sqlbackend/mysqlerr", May: []string{"catalog", "document", "kv", "tables"},
			Reason: "an error is named below whoever fails with it"},
		{Path: "sqlbackend/statement", May: []string{"sqlbackend/mysqlerr"},
			Reason: "what a statement says is read from its text and its syntax tree alone"},
		{Path: "sqlbackend/accounts", May: []string{"sqlbackend/mysqlerr", "sqlbackend/statement"},
			Reason: "who may do what follows from a record and a statement: no store, no session"},
		{Path: "sqlbackend/rollup",
			Reason: "one query is made of another, by their syntax trees alone"},
		{Path: "sqlbackend/value", May: []string{"collation", "document", "sqlbackend/mysqlerr", "sqlbackend/pushdown", "sqlbackend/statement"},
			Reason: "values are pure: they know no plan, no session and no table"},
		{Path: "sqlbackend/tree", May: []string{"collation", "sqlbackend/pushdown", "sqlbackend/value"},
			Reason: "a plan is walked without knowing who asks"},
		{Path: "sqlbackend/kernel", May: []string{"collation", "sqlbackend/tree", "sqlbackend/value"},
			Reason: "an expression is computed from a row's values alone"},
		{Path: "sqlbackend/program", May: []string{"collation", "sqlbackend/statement", "sqlbackend/value"},
			Reason: "which literals of a plan come from which parameter is known without tables and sessions"},
		{Path: "sqlbackend/systemschema",
			Reason: "which columns MySQL's system tables have is text, whoever fills them"},
		{Path: "sqlbackend/hold", May: []string{"collation", "document", "kv", "sqlbackend/mysqlerr", "sqlbackend/value"},
			Reason: "what counts memory and stops a statement knows neither session nor table"},
		{Path: "sqlbackend/syntax",
			May: []string{"catalog", "sqlbackend/compare", "sqlbackend/functions", "sqlbackend/mysqlerr",
				"sqlbackend/rollup", "sqlbackend/statement", "sqlbackend/tree", "sqlbackend/value"},
			Reason: "a statement is read and made ready for the planner without a session"},
		{Path: "sqlbackend/setting",
			Reason: "a session's variables are read by name, whoever's session it is"},
		{Path: "sqlbackend/compare",
			May: []string{"collation", "costing", "document", "sqlbackend/functions", "sqlbackend/hold", "sqlbackend/kernel",
				"sqlbackend/mysqlerr", "sqlbackend/pushdown", "sqlbackend/setting", "sqlbackend/statement",
				"sqlbackend/tree", "sqlbackend/value"},
			Reason: "what is equal follows from types and values; tables and sessions are asked by interfaces"},
		{Path: "sqlbackend/functions",
			May: []string{"collation", "document", "sqlbackend/hold", "sqlbackend/kernel", "sqlbackend/mysqlerr",
				"sqlbackend/pushdown", "sqlbackend/statement", "sqlbackend/tree", "sqlbackend/value"},
			Reason: "a function is computed from its arguments: it knows no session, no table and no rule"},
		{Path: "sqlbackend", May: join(store, spelling, rows, []string{"jobs", "mapindex/sandbox", "sqlbackend/pushdown", "sqlbackend/mysqlerr", "sqlbackend/statement", "sqlbackend/rollup", "sqlbackend/value", "sqlbackend/tree", "sqlbackend/kernel", "sqlbackend/program", "sqlbackend/hold", "sqlbackend/functions", "sqlbackend/setting", "sqlbackend/compare", "sqlbackend/syntax", "sqlbackend/accounts", "sqlbackend/systemschema"}), InTests: inTests,
			Reason: "SQL is served from the packages below it, over any engine"},
		{Path: "server/secure",
			Reason: "encryption is below the protocol, and knows nothing of what is said"},
		{Path: "server", May: join(store, spelling, rows, []string{"server/secure", "jobs", "sqlbackend", "sqlbackend/accounts", "sqlbackend/mysqlerr", "sqlbackend/syntax", "sqlbackend/value"}), InTests: inTests,
			Reason: "one running process serves whatever store it is given"},

		{Path: "driver", May: []string{"kv", "kv/kvopen", "server"},
			Reason: "a program that holds a store in itself asks the server's sessions, and knows nothing below them"},

		{Path: "demo", May: []string{"document"},
			Reason: "the sample collections are generated, not stored: the command puts them where they go"},
		{Path: "transfer/mongo", May: []string{"document"},
			Reason: "what MongoDB writes becomes documents, wherever they go"},
		{Path: "transfer/inputs", May: []string{"transfer/mongo"},
			Reason: "a file is told by its bytes before anything reads documents from it"},
		{Path: "transfer/delimited", May: []string{"document"},
			Reason: "fields become documents and back, whatever file and table they are of"},
		{Path: "transfer/columnar", May: []string{"document", "transfer/mongo"},
			Reason: "rows of Parquet become documents and back, whatever file and table they are of"},
		{Path: "transfer", InTests: inTests,
			May:    join(store, spelling, rows, []string{"transfer/columnar", "transfer/delimited", "transfer/inputs", "transfer/mongo"}),
			Reason: "files go to a server through a driver or into a store through tables, and to nothing between"},
		{Path: "prompt", May: []string{"sqlbackend/statement"},
			Reason: "who types at a server is a client of it; how a text falls into statements is the one thing that both know"},
		{Path: "backup", May: join(store, []string{"keyspace", "catalog", "jobs"}), InTests: join(inTests, rows),
			Reason: "a copy of a store is of keys, whatever they mean; what must differ in it says who owns it"},
		{Path: "cmd/sqlfdb", May: join(store, spelling, rows, []string{"kv/kvopen", "backup", "demo", "jobs", "prompt", "server", "server/secure", "sqlbackend", "transfer", "transfer/delimited"}), InTests: inTests,
			Reason: "a command opens an engine and hands it down; it plans no statement"},
		{Path: "sqltests", May: join([]string{"kv", "kv/kvopen", "server", "server/secure"}, engines), InTests: join(inTests, []string{"driver", "internal/fdbserver"}),
			Reason: "the SQL tests are a black box: they speak over the wire"},
		{Path: "sqltests/clients", InTests: []string{"kv/pebblekv", "server"},
			Reason: "clients come over the wire"},
		{Path: "sqltests/enginesuite", InTests: []string{"kv/pebblekv", "server", "internal/testseed"},
			Reason: "the engine's tests are run over the wire, too"},
		{Path: "sqltests/mount", InTests: []string{"catalog", "kv/kvopen", "sqlbackend"},
			Reason: "an example of a program that is built on go-mysql-server is such a program"},
		{Path: "bench", May: join(store, spelling, rows, engines, []string{"demo", "server", "sqlbackend", "transfer"}), InTests: join(inTests, []string{"kv/kvopen"}),
			Reason: "a benchmark measures through the same doors that users have"},
		{Path: "bench/compare", Reason: "servers are compared over the wire, sqlfdb as the others"},
		{Path: "internal/fdbserver",
			Reason: "it starts processes for tests and knows no store"},
		{Path: "internal/processor",
			Reason: "a clock for benchmarks knows nothing of what they measure"},
		{Path: "internal/testseed",
			Reason: "where the seeds of random tests come from knows nothing of what they draw"},
		{Path: "internal/lint",
			Reason: "the rules stand outside of what they judge"},
	},

	Bans: []Ban{
		{Import: "github.com/dolthub/go-mysql-server", Except: []string{"sqlbackend", "sqlbackend/mysqlerr", "sqlbackend/statement", "sqlbackend/program", "sqlbackend/rollup", "sqlbackend/value", "sqlbackend/tree", "sqlbackend/kernel", "sqlbackend/hold", "sqlbackend/functions", "sqlbackend/setting", "sqlbackend/compare", "sqlbackend/syntax", "sqlbackend/pushdown", "server", "sqltests/enginesuite", "sqltests/mount"},
			Reason: "go-mysql-server's types end at the backend, so that another version or front end changes no package below"},
		{Import: "github.com/dolthub/vitess", Except: []string{"sqlbackend", "sqlbackend/accounts", "sqlbackend/mysqlerr", "sqlbackend/statement", "sqlbackend/program", "sqlbackend/rollup", "sqlbackend/value", "sqlbackend/hold", "sqlbackend/functions", "sqlbackend/setting", "sqlbackend/compare", "sqlbackend/syntax", "sqlbackend/pushdown", "server"},
			Reason: "vitess is go-mysql-server's parser and protocol and ends where that ends"},
		{Import: "github.com/cockroachdb/pebble", Except: []string{"kv/pebblekv"},
			Reason: "Pebble is known to its engine alone; what is missing in kv is added to kv, for both engines"},
		{Import: "github.com/apple/foundationdb", Except: []string{"kv/fdbkv"},
			Reason: "FoundationDB's binding needs a C library and is known to its engine alone"},
		{Import: "golang.org/x/text/collate", Except: []string{"collation"},
			Reason: "one package makes strings comparable, or two orders meet in one index"},
		{Import: "github.com/go-sql-driver/mysql", Except: []string{"cmd/sqlfdb", "driver", "prompt", "transfer", "sqltests", "sqltests/enginesuite", "sqltests/mount", "bench", "bench/compare"}, Tests: true,
			Reason: "only clients speak through a driver; the product's own parts call each other"},
		{Import: "github.com/jackc/pgx", Except: []string{"bench/compare"},
			Reason: "PostgreSQL is there to be compared with"},
		{Import: "github.com/spf13/cobra", Except: []string{"cmd/sqlfdb"},
			Reason: "flags are a command's matter; packages take options"},
		{Import: "pgregory.net/rapid", Except: []string{"kv/kvtest", "internal/testseed"}, Tests: true,
			Reason: "generators belong to tests"},
		{Import: "testing", Except: []string{"kv/kvtest", "internal/testseed"}, Tests: true,
			Reason: "it registers the test flags in the command"},
		{Import: "C", Except: []string{"kv/fdbkv"},
			Reason: "go run and go test must work with nothing but Go"},
	},

	Planned: []string{
		// Bans that guard against a first use.
		"github.com/apple/foundationdb", "C",
	},
}

// BoolParameters are, beside encoders such as AppendBool, the exported functions whose boolean parameter an
// interface of go-mysql-server prescribes, or hands from one function to the next.
var BoolParameters = []BoolParameter{
	{"sqlbackend/functions", "Rebuild", "it passes on whether a transformation changed anything, which no caller spells"},
	{"sqlbackend/compare", "RulesOf", "it passes on whether the statement has IGNORE"},
}

// Outside are the words that stay out of every file: places and papers that a
// reader of this repository doesn't have, and notes to oneself.
var Outside = []Word{
	{regexp.MustCompile(`(?:^|[^\w.~)-])/(?:home|root|Users|work|workspace)/\w*`),
		"a path of one machine"},
	{regexp.MustCompile(`(?i)(?://|@)[\w.-]+\.(?:internal|intranet|corp|lan)\b`),
		"a host of one network"},
	{regexp.MustCompile(`(?:DESIGN|EXAMPLES)(?:[.]md| section| \d)`),
		"a paper that is not in the repository: say what it says"},
	{regexp.MustCompile(`(?i)\bissues? #?\d+|\bcontract[.]md|\bseeds?/\w|\bbuilder[s']* session`),
		"how the work was shared out is no part of the product"},
	{regexp.MustCompile(`\b(?:TO[D]O|FI[X]ME|XX[X])\b`),
		"do it, or write down in the documentation what is missing"},
}

func join(lists ...[]string) []string { return slices.Concat(lists...) }
