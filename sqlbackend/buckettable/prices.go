package buckettable

import (
	"context"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/bucket/plan"
)

// Prices is the session variable that holds the prices of requests.
const Prices = "sqlfdb_bucket_prices"

// pricesType is the type of price lists.
type pricesType struct{ sql.SystemVariableType }

// PricesType is the type of the variable.
func PricesType() sql.SystemVariableType { return pricesType{types.NewSystemStringType(Prices)} }

// DefaultPrices are the prices where nobody has set others.
func DefaultPrices() string { return plan.DefaultPrices.String() }

// Convert implements sql.Type.
func (t pricesType) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	text := fmt.Sprint(v)
	prices, err := plan.ParsePrices(text)
	if err != nil {
		return nil, sql.OutOfRange, sql.ErrInvalidSystemVariableValue.New(Prices, text)
	}
	return prices.String(), sql.InRange, nil
}

// PricesOf is the price list of a session.
func PricesOf(ctx *sql.Context) (plan.Prices, error) {
	v, err := ctx.GetSessionVariable(ctx, Prices)
	if err != nil {
		return plan.DefaultPrices, err
	}
	text, _ := v.(string)
	return plan.ParsePrices(text)
}
