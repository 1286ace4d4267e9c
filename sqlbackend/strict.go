package sqlbackend

import "github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"

// What the rules put around operands is NULL if what it converts is.
var (
	_ pushdown.Strict = (*conversion)(nil)
	_ pushdown.Strict = (*enumNumber)(nil)
	_ pushdown.Strict = (*jsonText)(nil)
	_ pushdown.Strict = (*numberFromJSON)(nil)
	_ pushdown.Strict = (*numberText)(nil)
	_ pushdown.Strict = (*sqlScalar)(nil)
	_ pushdown.Strict = (*sqlText)(nil)
	_ pushdown.Strict = (*temporalDigits)(nil)
	_ pushdown.Strict = (*temporalNumber)(nil)
	_ pushdown.Strict = (*temporalValue)(nil)
)

// PushdownStrict implements pushdown.Strict.
func (c *conversion) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (n *enumNumber) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (j *jsonText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (n *numberFromJSON) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *numberText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (s *sqlScalar) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *sqlText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalDigits) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalNumber) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalValue) PushdownStrict() {}
