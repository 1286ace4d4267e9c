package value

// ResultColumn is what the engine's description of a result's column leaves out.
type ResultColumn struct {
	Decimals uint32 // how many the seconds of a TIMESTAMP have
	Table    string // what the statement calls a view or derived table of which the column is; empty for others
}

// ResultColumns are those of the statement that was planned last.
type ResultColumns struct {
	Decimals []uint32
	Tables   []string
}

// Fill is a list that has an element at i.
func Fill[T any](list []T, i int) []T {
	for len(list) <= i {
		var none T
		list = append(list, none)
	}
	return list
}
