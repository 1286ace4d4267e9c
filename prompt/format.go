package prompt

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is how rows are shown.
type Format string

// Formats of rows.
const (
	Table    Format = "table"
	Vertical Format = "vertical"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	JSON     Format = "json"
	Markdown Format = "markdown"
)

// Formats are all of them.
func Formats() []string {
	return []string{string(Table), string(Vertical), string(CSV), string(TSV), string(JSON), string(Markdown)}
}

// ParseFormat finds a format by its name.
func ParseFormat(name string) (Format, error) {
	if !slices.Contains(Formats(), name) {
		return "", fmt.Errorf("format %q: want one of %s", name, strings.Join(Formats(), ", "))
	}
	return Format(name), nil
}

// forPeople reports whether the rows are followed by their number and by warnings.
func (f Format) forPeople() bool { return f == Table || f == Vertical || f == Markdown }

// screen describes the screen that a result is shown on.
type screen struct {
	width  int // in places; 0: no terminal
	colour bool
}

// printer shows the rows of one result, in parts.
type printer interface {
	rows(columns []column, rows [][]cell) error
	end() error
}

func (f Format) printer(out io.Writer, on screen) printer {
	switch f {
	case Vertical:
		return &verticalPrinter{out: out, on: on}
	case CSV:
		return &linePrinter{out: out, between: ",", quote: quoteCSV, header: true}
	case TSV:
		return &linePrinter{out: out, between: "\t", quote: quoteTSV, header: true}
	case Markdown:
		return &linePrinter{out: out, before: "| ", between: " | ", after: " |", quote: quoteMarkdown,
			header: true, rule: true}
	case JSON:
		return &jsonPrinter{out: out}
	}
	return &tablePrinter{out: out, on: on}
}

// linePrinter shows a row in a line.
type linePrinter struct {
	out                    io.Writer
	before, between, after string
	quote                  func(c cell) string
	header, rule           bool
}

func (p *linePrinter) rows(columns []column, rows [][]cell) error {
	var b strings.Builder
	line := func(n int, of func(i int) string) {
		b.WriteString(p.before)
		for i := range n {
			if i > 0 {
				b.WriteString(p.between)
			}
			b.WriteString(of(i))
		}
		b.WriteString(p.after + "\n")
	}
	if p.header {
		p.header = false
		line(len(columns), func(i int) string { return p.quote(cell{text: columns[i].name}) })
		if p.rule {
			line(len(columns), func(int) string { return "---" })
		}
	}
	for _, row := range rows {
		line(len(row), func(i int) string { return p.quote(row[i]) })
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *linePrinter) end() error { return nil }

// quoteCSV leaves a NULL out, and puts an empty text in quotes.
func quoteCSV(c cell) string {
	switch {
	case c.null:
		return ""
	case c.text == "" || strings.ContainsAny(c.text, "\",\r\n") || strings.TrimSpace(c.text) != c.text:
		return `"` + strings.ReplaceAll(c.text, `"`, `""`) + `"`
	}
	return c.text
}

var tsvEscapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\x00", `\0`)

// quoteTSV escapes as the mysql client does, whose NULL is the word. LOAD DATA reads the escapes.
func quoteTSV(c cell) string { return tsvEscapes.Replace(c.text) }

var markdownEscapes = strings.NewReplacer("|", `\|`, "\n", "<br>")

func quoteMarkdown(c cell) string { return markdownEscapes.Replace(c.text) }

// jsonPrinter shows rows as objects of one array, JSON as it is.
type jsonPrinter struct {
	out   io.Writer
	begun bool
}

func (p *jsonPrinter) rows(columns []column, rows [][]cell) error {
	var b strings.Builder
	for _, row := range rows {
		if p.begun {
			b.WriteString(",\n")
		} else {
			b.WriteString("[")
		}
		p.begun = true
		for i, c := range row {
			b.WriteString(map[bool]string{true: "{", false: ", "}[i == 0])
			b.WriteString(quoteJSON(columns[i].name) + ": ")
			switch {
			case c.null:
				b.WriteString("null")
			case columns[i].kind == kindText, !json.Valid([]byte(c.text)):
				b.WriteString(quoteJSON(c.text))
			default:
				b.WriteString(c.text)
			}
		}
		b.WriteString("}")
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *jsonPrinter) end() error {
	text := "]\n"
	if !p.begun {
		text = "[]\n"
	}
	_, err := io.WriteString(p.out, text)
	return err
}

func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// verticalPrinter shows each column in a line, or in several.
type verticalPrinter struct {
	out   io.Writer
	on    screen
	shown int
}

func (p *verticalPrinter) rows(columns []column, rows [][]cell) error {
	widest := 0
	for _, c := range columns {
		widest = max(widest, width(c.name))
	}
	var b strings.Builder
	for _, row := range rows {
		p.shown++
		stars := strings.Repeat("*", 27)
		fmt.Fprintf(&b, "%s %d. row %s\n", stars, p.shown, stars)
		for i, c := range row {
			fmt.Fprintf(&b, "%s%s: ", strings.Repeat(" ", widest-width(columns[i].name)), columns[i].name)
			for n, line := range p.on.lines(columns[i], c) {
				if n > 0 {
					b.WriteString(strings.Repeat(" ", widest+2))
				}
				b.WriteString(p.on.paint(columns[i], c, line) + "\n")
			}
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *verticalPrinter) end() error { return nil }

// lines are a cell's lines; on a terminal JSON is indented.
func (on screen) lines(c column, v cell) []string {
	text := v.text
	if on.width > 0 && c.kind == kindJSON && !v.null {
		text = structured(text)
	}
	return strings.Split(visible(text), "\n")
}

func (on screen) paint(c column, v cell, line string) string {
	switch {
	case !on.colour:
		return line
	case v.null:
		return colourNull + line + colourEnd
	case c.kind == kindJSON:
		return coloured(line)
	}
	return line
}
