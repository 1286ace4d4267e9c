package console

import (
	"errors"
	"net/http"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// figure is one number that the server reports of itself.
type figure struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Value  float64           `json:"value"`
	// Of a histogram: how many there were, and how many of them up to each bound.
	Count   uint64       `json:"count,omitempty"`
	Buckets [][2]float64 `json:"buckets,omitempty"`
}

// figures answers with the figures of the server and its store, without the tables' figures, of which not every user
// may know.
func (c *Console) figures(w http.ResponseWriter) {
	if c.options.Figures == nil {
		fail(w, http.StatusNotFound, errors.New("there are no figures"))
		return
	}
	families, err := c.options.Figures.Gather()
	if err != nil && len(families) == 0 {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	out := []figure{}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "sqlfdb_table_") {
			continue
		}
		for _, m := range f.GetMetric() {
			out = append(out, figureOf(f.GetName(), m))
		}
	}
	answer(w, out)
}

func figureOf(name string, m *dto.Metric) figure {
	out := figure{Name: name}
	for _, l := range m.GetLabel() {
		if out.Labels == nil {
			out.Labels = map[string]string{}
		}
		out.Labels[l.GetName()] = l.GetValue()
	}
	switch {
	case m.GetHistogram() != nil:
		h := m.GetHistogram()
		out.Value, out.Count = h.GetSampleSum(), h.GetSampleCount()
		for _, b := range h.GetBucket() {
			out.Buckets = append(out.Buckets, [2]float64{b.GetUpperBound(), float64(b.GetCumulativeCount())})
		}
	case m.GetCounter() != nil:
		out.Value = m.GetCounter().GetValue()
	case m.GetGauge() != nil:
		out.Value = m.GetGauge().GetValue()
	default:
		out.Value = m.GetUntyped().GetValue()
	}
	return out
}
