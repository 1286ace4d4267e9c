package document

// Type is one of JSON's six types.
type Type uint8

// The types. The zero Type is the zero Value's, which is no JSON value.
const (
	TypeNone Type = iota
	TypeNull
	TypeBool
	TypeNumber
	TypeString
	TypeArray
	TypeObject
)

// String returns the type's name in messages.
func (t Type) String() string {
	switch t {
	case TypeNull:
		return "null"
	case TypeBool:
		return "boolean"
	case TypeNumber:
		return "number"
	case TypeString:
		return "string"
	case TypeArray:
		return "array"
	case TypeObject:
		return "object"
	}
	return "nothing"
}

func (t Type) withArticle() string {
	switch t {
	case TypeNull, TypeNone:
		return t.String()
	case TypeArray, TypeObject:
		return "an " + t.String()
	}
	return "a " + t.String()
}

// Kind is a type fine enough to choose a column's type by: counts are kept per
// keypath and kind.
type Kind uint8

// The kinds. They are part of stored keys: never renumber one; the gaps are
// for kinds to come.
const (
	KindNull   Kind = 10
	KindBool   Kind = 20
	KindInt53  Kind = 30 // integer literal n, |n| ≤ 2^53: exact as a float64 too
	KindInt64  Kind = 32 // integer literal beyond, within int64
	KindUint64 Kind = 34 // integer literal beyond, within uint64
	KindBigInt Kind = 36 // integer literal beyond, of at most 65 digits
	KindFloat  Kind = 40 // literal with point or exponent that is exactly its float64's shortest decimal
	KindBigNum Kind = 44 // any other number
	KindString Kind = 50
	KindObject Kind = 60
	KindArray  Kind = 70
)

// Kinds lists every kind in ascending order.
func Kinds() []Kind {
	return []Kind{KindNull, KindBool, KindInt53, KindInt64, KindUint64, KindBigInt, KindFloat, KindBigNum, KindString,
		KindObject, KindArray}
}

// String returns the kind's name, one for each kind.
func (k Kind) String() string {
	switch k {
	case KindNull:
		return "null"
	case KindBool:
		return "boolean"
	case KindInt53:
		return "int53"
	case KindInt64:
		return "int64"
	case KindUint64:
		return "uint64"
	case KindBigInt:
		return "bigint"
	case KindFloat:
		return "float"
	case KindBigNum:
		return "bignum"
	case KindString:
		return "string"
	case KindObject:
		return "object"
	case KindArray:
		return "array"
	}
	return "none"
}

// Type returns the JSON type that the kind is part of.
func (k Kind) Type() Type {
	switch k {
	case KindNull:
		return TypeNull
	case KindBool:
		return TypeBool
	case KindInt53, KindInt64, KindUint64, KindBigInt, KindFloat, KindBigNum:
		return TypeNumber
	case KindString:
		return TypeString
	case KindObject:
		return TypeObject
	case KindArray:
		return TypeArray
	}
	return TypeNone
}
