package commands

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// plannerStatements are what business intelligence tools ask, in the forms in which they write it.
var plannerStatements = []string{
	"SELECT COUNT(DISTINCT `region`) AS `count` FROM `t`",
	"SELECT `region` AS `region`, COUNT(*) AS `count` FROM `t` GROUP BY `region` ORDER BY `count` DESC, `region` " +
		"ASC LIMIT 2000",
	"SELECT * FROM (SELECT `cca3`, `region`, `area` FROM `t`) `q` LIMIT 0",
	"SELECT * FROM `t` WHERE 1 = 0",
	"SELECT `q`.`region` AS `region`, SUM(`q`.`area`) AS `sum_area` FROM (SELECT `cca3`, `region`, `area` FROM " +
		"`t`) `q` GROUP BY 1 ORDER BY 1",
	"SELECT `q`.`region`, COUNT(*) FROM (SELECT `cca3`, `region`, `area` FROM `t` WHERE `area` > 1000) `q` GROUP " +
		"BY `q`.`region` HAVING COUNT(*) > 3 ORDER BY 2 DESC, 1",
	"SELECT `cca3`, `area` FROM `t` ORDER BY `area` DESC, `cca3` LIMIT 10 OFFSET 20",
	"SELECT MIN(`area`) AS `min`, MAX(`area`) AS `max`, COUNT(*) AS `rows`, COUNT(`area`) AS `values` FROM `t`",
	"SELECT `region`, `subregion`, COUNT(1) AS `n` FROM `t` WHERE `region` IN ('Europe', 'Asia') AND `subregion` " +
		"<> '' GROUP BY `region`, `subregion` ORDER BY `region`, `n` DESC, `subregion` LIMIT 50",
	"SELECT FLOOR(`area` / 100000) * 100000 AS `bin`, COUNT(*) AS `n` FROM `t` GROUP BY FLOOR(`area` / 100000) * " +
		"100000 ORDER BY `bin`",
	"SELECT CASE WHEN `area` >= 1000000 THEN 'large' WHEN `area` IS NULL THEN 'unknown' ELSE 'small' END AS `size`," +
		" COUNT(*) FROM `t` GROUP BY 1 ORDER BY 1",
	"SELECT DISTINCT `region` FROM `t` ORDER BY `region` LIMIT 1001",
	"SELECT `subregion` FROM `t` WHERE LOWER(`subregion`) LIKE '%america%' GROUP BY `subregion` ORDER BY `subregion`",
	"SELECT `t`.`region`, `x`.`n` FROM `t` JOIN (SELECT `region`, COUNT(*) AS `n` FROM `t` GROUP BY `region` ORDER " +
		"BY `n` DESC, `region` LIMIT 2) `x` ON `t`.`region` = `x`.`region` WHERE `t`.`area` > 500000 ORDER BY `t`.`cca3`",
	"WITH `top` AS (SELECT `cca3`, `area`, `region`, ROW_NUMBER() OVER (PARTITION BY `region` ORDER BY `area` DESC," +
		" `cca3`) AS `r` FROM `t`) SELECT `region`, `cca3`, `area` FROM `top` WHERE `r` <= 2 ORDER BY `region`, `r`",
	"SELECT STR_TO_DATE(CONCAT(DATE_FORMAT(`happened`, '%Y-%m'), '-01'), '%Y-%m-%d') AS `month`, COUNT(*) AS " +
		"`count` FROM `dated` GROUP BY STR_TO_DATE(CONCAT(DATE_FORMAT(`happened`, '%Y-%m'), '-01'), '%Y-%m-%d') ORDER " +
		"BY `month`",
	"SELECT DATE(`happened`) AS `__timestamp`, SUM(`n`) AS `SUM(n)` FROM `dated` WHERE `happened` >= '2024-02-01 " +
		"00:00:00.000000' AND `happened` < '2024-04-01 00:00:00.000000' GROUP BY DATE(`happened`) ORDER BY `SUM(n)` " +
		"DESC, `__timestamp` LIMIT 10000",
	"SELECT YEAR(`happened`), QUARTER(`happened`), AVG(`n`) FROM `dated` GROUP BY YEAR(`happened`), " +
		"QUARTER(`happened`) ORDER BY 1, 2",
	"SELECT TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'bi' ORDER BY TABLE_NAME",
	"SELECT COLUMN_NAME, DATA_TYPE, IS_NULLABLE, COLUMN_KEY FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = " +
		"'bi' AND TABLE_NAME = 't' ORDER BY ORDINAL_POSITION",
	"SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'bi' AND TABLE_NAME = " +
		"'t' AND NON_UNIQUE = 0",
}

// TestPlannerStatements asks what business intelligence tools ask, over real documents: the same rows with the
// index and without, and no error.
func TestPlannerStatements(t *testing.T) {
	path := filepath.Join(harness.ModuleRoot(t), "..", "shared", "data", "world_countries.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skip("no real documents here: ", err)
	}
	s := harness.Start(t)
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE bi")
	conn, err := harness.Connect(t, s.Addr(), "bi", "?interpolateParams=true").Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	harness.MustExec(t, conn, "CREATE TABLE t (cca3 VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE dated (_id INT PRIMARY KEY, happened DATETIME(6), _doc JSON)")
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		if _, err := conn.ExecContext(context.Background(), "INSERT INTO t (_doc) VALUES (?)", line); err != nil {
			t.Fatal(err)
		}
	}
	harness.MustExec(t, conn,
		"INSERT INTO dated (_id, happened, n) SELECT ROW_NUMBER() OVER (ORDER BY cca3), DATE_ADD('2024-01-01 "+
			"10:00:00', INTERVAL ROW_NUMBER() OVER (ORDER BY cca3) DAY), CHAR_LENGTH(cca3) FROM t")
	for _, stmt := range plannerStatements {
		rows := sameBothWays(t, conn, stmt)
		if empty := strings.Contains(stmt, "LIMIT 0") || strings.Contains(stmt, "1 = 0"); len(rows) < 2 && !empty {
			t.Errorf("%s: no rows", stmt)
		}
	}
	harness.CheckAll(t, harness.Connect(t, s.Addr(), "bi", ""))
}
