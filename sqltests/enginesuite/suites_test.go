package enginesuite

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/enginetest/queries"
	"github.com/dolthub/go-mysql-server/enginetest/scriptgen/setup"
	"github.com/dolthub/go-mysql-server/sql"
)

// A suite is one variable of the engine's tests.
type suite struct {
	name    string
	tables  [][]setup.SetupScript
	scripts []queries.ScriptTest
	// reads: no script changes anything, so the tables are made once for all.
	reads bool
}

// tablesFor is the part of the suite's tables that the texts of a script name: each is made anew for each script.
func (s suite) tablesFor(script queries.ScriptTest) []string {
	text := strings.ToLower(fmt.Sprint(script.SetUpScript))
	for _, a := range script.Assertions {
		text += " " + strings.ToLower(a.Query)
	}
	var statements []string
	for _, group := range s.tables {
		needed := s.reads
		for _, part := range group {
			for _, statement := range part {
				for _, name := range created.FindAllStringSubmatch(strings.ToLower(statement), -1) {
					needed = needed || regexp.MustCompile(`\b`+regexp.QuoteMeta(name[1])+`\b`).MatchString(text)
				}
			}
		}
		if needed {
			for _, part := range group {
				statements = append(statements, part...)
			}
		}
	}
	return statements
}

var created = regexp.MustCompile("(?:create (?:table|view)(?: if not exists)?|drop index \\w+ on) `?(\\w+)")

// assertions are those of a script, however it spells them.
func assertions(s queries.ScriptTest) []queries.ScriptTestAssertion {
	if len(s.Assertions) > 0 {
		return s.Assertions
	}
	return []queries.ScriptTestAssertion{{Query: s.Query, Expected: s.Expected, ExpectedErr: s.ExpectedErr}}
}

func questions(tests []queries.QueryTest) (scripts []queries.ScriptTest) {
	for _, t := range tests {
		if len(t.Bindings) == 0 && !t.SkipServerEngine {
			a := queries.ScriptTestAssertion{Query: t.Query, Expected: t.Expected, Dialect: t.Dialect}
			scripts = append(scripts, queries.ScriptTest{Assertions: []queries.ScriptTestAssertion{a}})
		}
	}
	return scripts
}

func writes(tests []queries.WriteQueryTest) (scripts []queries.ScriptTest) {
	for _, t := range tests {
		if len(t.Bindings) > 0 {
			continue
		}
		scripts = append(scripts, queries.ScriptTest{Dialect: t.Dialect, Assertions: []queries.ScriptTestAssertion{
			{Query: t.WriteQuery, Expected: t.ExpectedWriteResult, Skip: t.Skip || t.SkipServerEngine},
			{Query: t.SelectQuery, Expected: t.ExpectedSelect, Skip: t.Skip || t.SkipServerEngine},
		}})
	}
	return scripts
}

func mistakes(tests []queries.QueryErrorTest) (scripts []queries.ScriptTest) {
	for _, t := range tests {
		if len(t.Bindings) == 0 {
			a := queries.ScriptTestAssertion{Query: t.Query, ExpectedErr: t.ExpectedErr, ExpectedErrStr: t.ExpectedErrStr}
			if t.ExpectedErr == nil && t.ExpectedErrStr == "" {
				a.ExpectedErrStr = "any"
			}
			scripts = append(scripts, queries.ScriptTest{Assertions: []queries.ScriptTestAssertion{a}})
		}
	}
	return scripts
}

func genericMistakes(tests []queries.GenericErrorQueryTest) []queries.ScriptTest {
	var plain []queries.QueryErrorTest
	for _, t := range tests {
		if len(t.Bindings) == 0 {
			plain = append(plain, queries.QueryErrorTest{Query: t.Query})
		}
	}
	return mistakes(plain)
}

func transactions(tests []queries.TransactionTest) (scripts []queries.ScriptTest) {
	for _, t := range tests {
		scripts = append(scripts, queries.ScriptTest{Name: t.Name, SetUpScript: t.SetUpScript, Assertions: t.Assertions})
	}
	return scripts
}

func conversions() []queries.ScriptTest {
	var asked []queries.QueryTest
	for _, t := range queries.ConvertTests {
		text := fmt.Sprintf("SELECT count(*) FROM typestable WHERE %s %s %s", t.Field, t.Op, t.Operand)
		asked = append(asked, queries.QueryTest{Query: text, Expected: []sql.Row{{int64(t.ExpCnt)}}})
	}
	return questions(asked)
}

// together makes one script of several that rest on what those before them leave.
func together(scripts []queries.ScriptTest) []queries.ScriptTest {
	all := queries.ScriptTest{Name: "all in one"}
	for _, s := range scripts {
		for _, statement := range s.SetUpScript {
			all.Assertions = append(all.Assertions, queries.ScriptTestAssertion{Query: statement, SkipResultsCheck: true})
		}
		all.Assertions = append(all.Assertions, assertions(s)...)
	}
	return []queries.ScriptTest{all}
}

// suites lists what is run. Left out: spatial, full-text and vector suites, triggers, procedures, events, users and
// privileges, files on the server, plans, and what is about the engine's own statistics and versioned tables.
func suites() []suite {
	tables := func(groups ...[]setup.SetupScript) [][]setup.SetupScript { return groups }
	mytable, xy := tables(setup.MytableData), setup.XyData
	written := tables(setup.MytableData, setup.Mytable_del_idxData, setup.KeylessData, setup.NiltableData,
		setup.TypestableData, setup.EmptytableData, setup.AutoincrementData, setup.OthertableData,
		setup.Othertable_del_idxData, setup.FloattableData, setup.Pk_tablesData, setup.TabletestData, setup.PeopleData)
	joined := tables(setup.MytableData, setup.Pk_tablesData, setup.OthertableData, setup.NiltableData, xy, setup.FooData)
	changesResult := tables(setup.MytableData, setup.Pk_tablesData, setup.OthertableData, setup.SpecialtableData,
		setup.DatetimetableData, setup.NiltableData, setup.FooData)
	information := tables(setup.MytableData, setup.Fk_tblData, setup.FooData)
	keyless := together(queries.DropColumnKeylessTablesScripts)
	ordinals := tables(setup.Invert_pkData, setup.Ordinals_ddlData)
	nested := []setup.SetupScript{{"CREATE VIEW myview2 AS SELECT * FROM myview WHERE i = 1"}}
	return []suite{
		{"AddColumn", mytable, together(queries.AddColumnScripts), false},
		{"AddDropPrimaryKey", nil, queries.AddDropPrimaryKeyScripts, false},
		{"AlterTable", tables(setup.Pk_tablesData), queries.AlterTableScripts, false},
		{"AlterTableAddAutoIncrement", nil, queries.AlterTableAddAutoIncrementScripts, false},
		{"AnsiQuotes", nil, queries.AnsiQuotesTests, false},
		{"BlobErrors", tables(setup.BlobData, setup.MytableData), mistakes(queries.BlobErrors), false},
		{"BlobQueries", tables(setup.BlobData), questions(queries.BlobQueries), true},
		{"BlobWrites", tables(setup.BlobData), writes(queries.BlobWriteQueries), false},
		{"ChecksDisallowed", nil, queries.DisallowedCheckConstraintsScripts, false},
		{"ChecksDrop", nil, queries.DropCheckConstraintsScripts, false},
		{"ChecksCreate", tables(setup.Check_constraintData), queries.CreateCheckConstraintsScripts, false},
		{"ChecksOnInsert", nil, queries.ChecksOnInsertScripts, false},
		{"ChecksOnUpdate", nil, queries.ChecksOnUpdateScriptTests, false},
		{"ColumnAliases", mytable, queries.ColumnAliasQueries, false},
		{"ColumnDefaults", nil, queries.ColumnDefaultTests, false},
		{"ComplexIndexes", tables(setup.Comp_index_tablesData), questions(queries.ComplexIndexQueries), true},
		{"Convert", tables(setup.TypestableData), conversions(), true},
		{"CreateDatabase", nil, queries.CreateDatabaseScripts, false},
		{"CreateForeignKey", mytable, queries.CreateForeignKeyTests, false},
		{"CreateTable", tables(setup.MytableData, setup.FooData), writes(queries.CreateTableQueries), false},
		{"CreateTableAutoIncrement", nil, queries.CreateTableAutoIncrementTests, false},
		{"CreateTableScripts", mytable, queries.CreateTableScriptTests, false},
		{"DateParse", nil, questions(queries.DateParseQueries), true},
		{"Delete", written, writes(queries.DeleteTests), false},
		{"DeleteErrors", append(tables(setup.TestdbData), written...), queries.DeleteErrorTests, false},
		{"DeleteJoin", written, writes(queries.DeleteJoinTests), false},
		{"DerivedTableScope", nil, queries.DerivedTableOuterScopeVisibilityQueries, false},
		{"DropColumn", tables(setup.MytableData, setup.TabletestData), together(queries.DropColumnScripts), false},
		{"DropColumnKeyless", tables(setup.TabletestData), keyless, false},
		{"DropDatabase", nil, queries.DropDatabaseScripts, false},
		{"DropForeignKey", mytable, queries.DropForeignKeyTests, false},
		{"Errors", changesResult, mistakes(queries.ErrorQueries), true},
		{"ForeignKeys", tables(setup.Parent_childData), queries.ForeignKeyTests, false},
		{"GeneratedColumns", nil, queries.GeneratedColumnTests, false},
		{"IndexPrefix", nil, queries.IndexPrefixQueries, false},
		{"Indexes", nil, queries.IndexQueries, false},
		{"InfoSchema", information, questions(queries.InfoSchemaQueries), true},
		{"InfoSchemaScripts", information, queries.InfoSchemaScripts, false},
		{"Insert", written, writes(queries.InsertQueries), false},
		{"InsertDuplicateKeyKeyless", nil, queries.InsertDuplicateKeyKeyless, false},
		{"InsertErrors", written, genericMistakes(queries.InsertErrorTests), false},
		{"InsertErrorScripts", nil, queries.InsertErrorScripts, false},
		{"InsertIgnore", nil, queries.InsertIgnoreScripts, false},
		{"InsertIgnoreKeyless", nil, queries.IgnoreWithDuplicateUniqueKeyKeylessScripts, false},
		{"InsertScripts", nil, queries.InsertScripts, false},
		{"Join", joined, questions(queries.JoinQueryTests), true},
		{"JoinScripts", nil, queries.JoinScriptTests, false},
		{"JSON", nil, queries.JsonScripts, false},
		{"JSONTable", tables(setup.Pk_tablesData), questions(queries.JSONTableQueryTests), true},
		{"JSONTableScripts", nil, queries.JSONTableScriptTests, false},
		{"Keyless", tables(setup.KeylessData), questions(queries.KeylessQueries), true},
		{"LateralJoin", nil, queries.LateralJoinScriptTests, false},
		{"LogicJoin", nil, queries.SQLLogicJoinTests, false},
		{"LogicSubquery", nil, queries.SQLLogicSubqueryTests, false},
		{"ModifyColumn", mytable, together(queries.ModifyColumnScripts), false},
		{"NullRanges", tables(setup.Null_rangesData), questions(queries.NullRangeTests), true},
		{"NumericErrors", nil, queries.NumericErrorQueries, false},
		{"OnUpdate", nil, queries.OnUpdateExprScripts, false},
		{"OrderByGroupBy", nil, queries.OrderByGroupByScriptTests, false},
		{"OrdinalDDL", ordinals, questions(queries.OrdinalDDLQueries), false},
		{"OrdinalDDLWrites", ordinals, writes(queries.OrdinalDDLWriteQueries), false},
		{"Prepared", nil, queries.PreparedScriptTests, false},
		{"Queries", setup.SimpleSetup[1:], questions(queries.QueryTests), true},
		{"RenameColumn", tables(setup.MytableData, setup.TabletestData), together(queries.RenameColumnScripts), false},
		{"RenameTable", written, together(queries.RenameTableScripts), false},
		{"Replace", written, writes(queries.ReplaceQueries), false},
		{"ReplaceErrors", written, genericMistakes(queries.ReplaceErrorTests), false},
		{"RowLimit", nil, queries.RowLimitTests, false},
		{"Scripts", nil, queries.ScriptTests, false},
		{"ShowTableStatus", tables(setup.MytableData, setup.OthertableData), questions(queries.ShowTableStatusQueries), true},
		{"Transactions", nil, transactions(queries.TransactionTests), false},
		{"Update", written, writes(queries.UpdateTests), false},
		{"UpdateErrors", written, mistakes(queries.UpdateErrorTests), false},
		{"UpdateErrorScripts", nil, queries.UpdateErrorScripts, false},
		{"UpdateGenericErrors", written, genericMistakes(queries.GenericUpdateErrorTests), false},
		{"UpdateIgnore", written, writes(queries.UpdateIgnoreTests), false},
		{"UpdateIgnoreScripts", nil, queries.UpdateIgnoreScripts, false},
		{"VariableErrors", nil, mistakes(queries.VariableErrorTests), false},
		{"Variables", nil, queries.VariableQueries, false},
		{"Views", append(mytable, nested), questions(queries.ViewTests), true},
		{"ViewScripts", nil, queries.ViewScripts, false},
	}
}
