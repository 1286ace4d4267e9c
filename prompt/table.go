package prompt

import (
	"io"
	"strings"
)

// tablePrinter draws a table. On a terminal it is as wide as the screen at most. Long values are broken over lines,
// and if there are too many columns each of them stands in a line.
type tablePrinter struct {
	out  io.Writer
	on   screen
	tall *verticalPrinter // the table is too wide
}

const (
	// least is how narrow a column may become.
	least = 12
	// frame is how many characters a column takes beside its values.
	frame = 3
)

func (p *tablePrinter) rows(columns []column, rows [][]cell) error {
	if p.tall != nil {
		return p.tall.rows(columns, rows)
	}
	if lines, ok := plain(columns, rows); ok {
		_, err := io.WriteString(p.out, lines)
		return err
	}
	cells := make([][][]string, 1, len(rows)+1) // rows, columns, lines
	for _, c := range columns {
		cells[0] = append(cells[0], strings.Split(visible(c.name), "\n"))
	}
	for _, row := range rows {
		lines := make([][]string, len(row))
		for i, v := range row {
			lines[i] = p.on.lines(columns[i], v)
		}
		cells = append(cells, lines)
	}
	widths := make([]int, len(columns))
	for _, row := range cells {
		for i, lines := range row {
			for _, line := range lines {
				widths[i] = max(widths[i], width(line))
			}
		}
	}
	if p.on.width > 0 && !fit(widths, p.on.width) {
		p.tall = &verticalPrinter{out: p.out, on: p.on}
		return p.tall.rows(columns, rows)
	}
	if p.on.width > 0 {
		for _, row := range cells {
			for i, lines := range row {
				row[i] = breakLines(lines, widths[i])
			}
		}
	}
	_, err := io.WriteString(p.out, p.draw(columns, rows, cells, widths))
	return err
}

func (p *tablePrinter) end() error { return nil }

func (p *tablePrinter) draw(columns []column, rows [][]cell, cells [][][]string, widths []int) string {
	var b, rule strings.Builder
	for _, w := range widths {
		rule.WriteString("+" + strings.Repeat("-", w+2))
	}
	rule.WriteString("+\n")
	b.WriteString(rule.String())
	for n, row := range cells {
		height := 1
		for _, lines := range row {
			height = max(height, len(lines))
		}
		for l := range height {
			for i, lines := range row {
				line := ""
				if l < len(lines) {
					line = lines[l]
				}
				padding := strings.Repeat(" ", max(0, widths[i]-width(line)))
				if n > 0 {
					line = p.on.paint(columns[i], rows[n-1][i], line)
				}
				b.WriteString("| " + line + padding + " ")
			}
			b.WriteString("|\n")
		}
		if n == 0 {
			b.WriteString(rule.String())
		}
	}
	if len(rows) > 0 {
		b.WriteString(rule.String())
	}
	return b.String()
}

// plain shows a single column of texts that are laid out already, as plans are, without a frame.
func plain(columns []column, rows [][]cell) (string, bool) {
	if len(columns) != 1 || columns[0].kind == kindJSON {
		return "", false
	}
	laid := strings.Contains(columns[0].name, "plan")
	for _, row := range rows {
		laid = laid || strings.Contains(row[0].text, "\n")
	}
	if !laid || len(rows) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(row[0].text + "\n")
	}
	return b.String(), true
}

// fit narrows the widest columns until the table fits; false if it can't.
func fit(widths []int, screen int) bool {
	room := screen - 1 - frame*len(widths)
	needs := 0
	for _, w := range widths {
		room -= w
		needs += min(w, least) + frame
	}
	if room >= 0 {
		return true
	}
	if needs+1 > screen {
		return false
	}
	for ; room < 0; room++ {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	return true
}

func breakLines(lines []string, places int) []string {
	var out []string
	for _, line := range lines {
		out = append(out, broken(line, places)...)
	}
	return out
}
