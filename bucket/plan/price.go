package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Prices are the prices of requests: dollars for a thousand of each kind, and for a gigabyte that is read from
// outside.
type Prices struct {
	Get, Put, Delete, List, Gigabyte float64
}

// DefaultPrices are the prices of Amazon's standard class in us-east-1, for readers within the region.
var DefaultPrices = Prices{Get: 0.0004, Put: 0.005, List: 0.005}

// ErrPrices is wrapped when a price list can't be read.
var ErrPrices = errors.New("price list")

// ParsePrices reads a price list such as get=0.0004,put=0.005,delete=0,list=0.005,gb=0.09: dollars for a thousand
// requests of each kind, and for a gigabyte read. A kind that is not named costs nothing. It fails with ErrPrices.
func ParsePrices(text string) (Prices, error) {
	var p Prices
	names := map[string]*float64{"get": &p.Get, "put": &p.Put, "delete": &p.Delete, "list": &p.List, "gb": &p.Gigabyte}
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		to := names[strings.ToLower(name)]
		f, err := strconv.ParseFloat(value, 64)
		if !ok || to == nil || err != nil || !(f >= 0 && f < 1e9) {
			return p, fmt.Errorf("%w: %q is none of get=N, put=N, delete=N, list=N, gb=N", ErrPrices, part)
		}
		*to = f
	}
	return p, nil
}

// String is the list as ParsePrices reads it.
func (p Prices) String() string {
	return fmt.Sprintf("get=%v,put=%v,delete=%v,list=%v,gb=%v", p.Get, p.Put, p.Delete, p.List, p.Gigabyte)
}

// Of is the price of requests, in dollars.
func (p Prices) Of(r store.Requests) float64 {
	return (float64(r.Gets)*p.Get+float64(r.Puts)*p.Put+float64(r.Deletes)*p.Delete+float64(r.Lists)*p.List)/1000 +
		float64(r.BytesRead)*p.Gigabyte/1e9
}

// documentSize is the assumed number of bytes of a document.
const documentSize = 1000

// Price is the path's expected price, in dollars.
func (p Path) Price(prices Prices) float64 {
	return prices.Of(store.Requests{Gets: int64(p.Entries + p.Documents), Lists: int64(p.Lists),
		BytesRead: int64(p.Documents) * documentSize})
}
