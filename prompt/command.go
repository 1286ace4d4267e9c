package prompt

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// command is something that the prompt does itself.
type command struct {
	names  []string // \x, and words that need no semicolon
	takes  string   // its argument, for the help
	what   string
	leaves bool
	run    func(s *shell, ctx context.Context, rest string) error
}

// commands are all of them, in the order of the help.
func commands() []command {
	return []command{
		{names: []string{`\?`, `\h`, "help"}, what: "this help", run: (*shell).help},
		{names: []string{`\q`, "quit", "exit"}, what: "leave", leaves: true},
		{names: []string{`\l`}, what: "list the databases", run: func(s *shell, ctx context.Context, _ string) error {
			return s.run(ctx, piece{text: "SHOW DATABASES"})
		}},
		{names: []string{`\u`, "use"}, takes: "DATABASE", what: "make it the current database", run: (*shell).use},
		{names: []string{`\d`}, takes: "[TABLE]", what: "list the tables, or describe one", run: (*shell).describe},
		{names: []string{`\f`}, takes: "[FORMAT]",
			what: "show rows as " + strings.Join(Formats(), ", "), run: (*shell).setFormat},
		{names: []string{`\x`}, what: "show each column in a line, or rows as a table again", run: (*shell).expand},
		{names: []string{`\t`, `\timing`}, what: "show how long statements take, or don't", run: (*shell).toggleTiming},
		{names: []string{`\pager`}, what: "show long results through $PAGER or less, or don't", run: (*shell).togglePager},
		{names: []string{`\s`, "status"}, what: "tell of the connection", run: (*shell).status},
		{names: []string{`\r`, "connect"}, what: "connect anew", run: (*shell).connectAgain},
		{names: []string{`\.`, `\i`, "source"}, takes: "FILE", what: "run the statements of a file", run: (*shell).source},
	}
}

// parseCommand finds the command that a line is.
func parseCommand(line string) (rest string, c command, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), ";"))
	word = strings.TrimSuffix(word, ";")
	backslash := strings.HasPrefix(word, `\`)
	for _, c := range commands() {
		for _, name := range c.names {
			// Behind a word that takes nothing there is more of a statement, or of an error.
			if backslash && name == word || !backslash && strings.EqualFold(name, word) && (c.takes == "") == (rest == "") {
				return rest, c, true
			}
		}
	}
	if backslash && len(word) > 1 && word != `\g` && word != `\G` && word != `\c` {
		return "", command{run: func(*shell, context.Context, string) error {
			return fmt.Errorf(`there is no command %s; \? lists them`, word)
		}}, true
	}
	return "", command{}, false
}

func (s *shell) command(ctx context.Context, c command, rest string) error {
	if s.session == nil && !s.reconnect(ctx) {
		return nil
	}
	return c.run(s, ctx, rest)
}

func (s *shell) help(context.Context, string) error {
	for _, c := range commands() {
		fmt.Fprintf(s.Out, "  %-34s %s\n", strings.TrimSpace(strings.Join(c.names, ", ")+" "+c.takes), c.what)
	}
	fmt.Fprint(s.Out, `
  STATEMENT;                         run it; with \G in the place of the semicolon, each column in a line
  \c, Ctrl-C                         forget the statement that was begun
  Ctrl-C while a statement runs      end the statement; the session stays as it is
  Tab, Ctrl-R, arrows                complete a name, search what was typed, go back to it

`)
	return nil
}

func (s *shell) use(ctx context.Context, name string) error {
	if name == "" {
		return fmt.Errorf(`want the name of a database; \l lists them`)
	}
	if !strings.HasPrefix(name, "`") {
		name = quoteName(name)
	}
	return s.run(ctx, piece{text: "USE " + name})
}

func (s *shell) describe(ctx context.Context, table string) error {
	switch {
	case table != "":
		if err := s.run(ctx, piece{text: "SHOW COLUMNS FROM " + quoteTable(table)}); err != nil {
			return err
		}
		return s.indexesOf(ctx, table)
	case s.database == "":
		return fmt.Errorf(`no database is current: \l lists them, use NAME takes one`)
	}
	return s.run(ctx, piece{text: "SELECT TABLE_NAME AS `table`, TABLE_TYPE AS kind, TABLE_ROWS AS documents, " +
		"DATA_LENGTH AS bytes, TABLE_COMMENT AS comment FROM information_schema.TABLES " +
		"WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1"})
}

// indexesOf shows the declared indexes of a table, if it has more than its key.
func (s *shell) indexesOf(ctx context.Context, table string) error {
	database := "DATABASE()"
	if in, name, ok := strings.Cut(table, "."); ok && !strings.Contains(table, "`") {
		database, table = quoteText(in), name
	}
	from := " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = " + database + " AND TABLE_NAME = " +
		quoteText(strings.Trim(table, "`"))
	var n int
	count := "SELECT COUNT(*)" + from + " AND INDEX_NAME <> 'PRIMARY'"
	if err := s.session.QueryRowContext(ctx, count).Scan(&n); err != nil || n == 0 {
		return err
	}
	return s.run(ctx, piece{text: "SELECT INDEX_NAME AS `index`, GROUP_CONCAT(COALESCE(COLUMN_NAME, EXPRESSION) " +
		"ORDER BY SEQ_IN_INDEX SEPARATOR ', ') AS columns, MIN(NON_UNIQUE) = 0 AS is_unique" + from + " GROUP BY INDEX_NAME"})
}

func (s *shell) setFormat(_ context.Context, name string) error {
	if name != "" {
		f, err := ParseFormat(strings.ToLower(name))
		if err != nil {
			return err
		}
		s.Format = f
	}
	fmt.Fprintf(s.Out, "Rows are shown as %s.\n", s.Format)
	return nil
}

func (s *shell) expand(ctx context.Context, _ string) error {
	if s.Format == Vertical {
		return s.setFormat(ctx, string(Table))
	}
	return s.setFormat(ctx, string(Vertical))
}

func (s *shell) toggleTiming(context.Context, string) error {
	s.timing = !s.timing
	fmt.Fprintln(s.Out, map[bool]string{true: "Times are shown.", false: "Times are not shown."}[s.timing])
	return nil
}

func (s *shell) togglePager(context.Context, string) error {
	s.paged = !s.paged
	text := "Long results go to the screen."
	if s.paged {
		text = "Long results go through " + strings.Join(pagerCommand(), " ") + "."
	}
	fmt.Fprintln(s.Out, text)
	return nil
}

func (s *shell) status(context.Context, string) error {
	fmt.Fprintf(s.Out, "%s, version %s\nuser %s, connection %d, database %s\nrows as %s\n", s.server(), s.version,
		s.config.User, s.id, quoteName(s.database), s.Format)
	return nil
}

func (s *shell) connectAgain(ctx context.Context, _ string) error {
	if err := s.again(ctx); err != nil {
		return err
	}
	s.names = names{}
	fmt.Fprintf(s.Out, "Connected as connection %d.\n", s.id)
	return nil
}

// source runs the statements of a file, up to the first that fails.
func (s *shell) source(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.batch(ctx, lineChunks(f)); err != ErrReported {
		return err
	}
	return fmt.Errorf("%s was left there", path)
}
