package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// measured is what a work took: milliseconds of one client, and statements a second of all, by the peer's name.
type measured struct {
	name     string
	one, all map[string]float64
}

// writePage writes compare.md and compare.svg: sqlfdb's figures as multiples of those of the others.
func writePage(dir string, o options, peers []*peer, results []measured) error {
	others := peers[1:]
	var b bytes.Buffer
	names := make([]string, len(others))
	for i, p := range others {
		names[i] = p.name
	}
	fmt.Fprintf(&b, "# Beside %s\n\n", strings.Join(names, " and "))
	fmt.Fprintf(&b, "%d documents of NoBench, prepared statements, every server durable at commit and with an index on\n"+
		"each path that is asked for. One run, in turns. The command below writes this page. On a machine that does\n"+
		"other work as well, figures go up and down by a third, those of %d clients more.\n\n", o.documents, o.clients)
	fmt.Fprintf(&b, "Each figure is a multiple of the other server's. Of the time of one client less is better, of the\n"+
		"rate of %d clients more.\n\n| statement |", o.clients)
	for _, n := range names {
		fmt.Fprintf(&b, " time, %s | rate, %s |", n, n)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", 2*len(others)))
	for _, r := range results {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, n := range names {
			for _, of := range []map[string]float64{r.one, r.all} {
				if of == nil {
					b.WriteString(" |")
					continue
				}
				fmt.Fprintf(&b, " %.2g |", of[peers[0].name]/of[n])
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n![How fast sqlfdb is beside the others](compare.svg)\n\n```sh\n"+
		"go run ./bench/compare -documents %d -each %v -docs docs\n```\n", o.documents, o.each)
	if err := os.WriteFile(filepath.Join(dir, "compare.md"), b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "compare.svg"), plot(peers[0].name, names, results, o.clients), 0o644)
}

// The plot's measures: the width of the names and of a column of bars, the height of a bar, and how many times as fast
// or as slow a bar says at most.
const (
	labels, column, bar = 170, 300, 9
	most                = 32.0
)

// plot draws how fast each work is beside the others: bars to the right of the middle are faster, to the left slower,
// each line twice as much as the one before.
func plot(name string, others []string, results []measured, clients int) []byte {
	colours := []string{"#3b7dd8", "#d8843b", "#4a9a5a"}
	step := bar*len(others) + 8
	const top = 50
	height := top + step*len(results) + 24
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" `+
		`font-size="11">`+"\n", labels+2*column+20, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for i, o := range others {
		fmt.Fprintf(&b, `<rect x="%d" y="8" width="10" height="10" fill="%s"/><text x="%d" y="17">%s beside %s</text>`+"\n",
			labels+160*i, colours[i%len(colours)], labels+160*i+14, name, html.EscapeString(o))
	}
	for c, title := range []string{"one client", fmt.Sprintf("%d clients", clients)} {
		left := float64(labels + c*column)
		at := func(speed float64) float64 {
			speed = min(max(speed, 1/most), most)
			return left + column/2 + math.Log2(speed)/math.Log2(most)*(column/2-15)
		}
		fmt.Fprintf(&b, `<text x="%.0f" y="34" text-anchor="middle">%s, times as fast</text>`+"\n", at(1), title)
		for speed := 1 / most; speed <= most; speed *= 2 {
			colour := "#ddd"
			if speed == 1 {
				colour = "#333"
			}
			fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="%s"/>`+"\n", at(speed), top-8, height-18, colour)
			if math.Mod(math.Log2(speed), 2) == 0 || speed == 1 {
				fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#777">%.3g</text>`+"\n", at(speed), height-6,
					math.Round(speed*100)/100)
			}
		}
		for i, r := range results {
			y := top + i*step
			if c == 0 {
				fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", labels-8, y+bar,
					html.EscapeString(r.name))
			}
			for j, o := range others {
				of := r.one
				speed := of[o] / of[name]
				if c == 1 {
					of = r.all
					speed = of[name] / of[o]
				}
				if of == nil {
					continue
				}
				from, to := min(at(1), at(speed)), max(at(1), at(speed))
				fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"><title>%.2f</title></rect>`+"\n",
					from, y+bar*j, max(to-from, 1), bar-1, colours[j%len(colours)], speed)
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
