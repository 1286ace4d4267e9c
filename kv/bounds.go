package kv

import "bytes"

// CheckKey is the error of writing a key, nil if it can be written: ErrKeyTooLarge with its size, or ErrReservedKey.
func CheckKey(key []byte) error {
	if len(key) > MaxKeySize {
		return &SizeError{Err: ErrKeyTooLarge, Size: int64(len(key)), Limit: MaxKeySize}
	}
	if bytes.Compare(key, MaxKey) >= 0 {
		return ErrReservedKey
	}
	return nil
}

// CheckValue is the error of writing a value, nil if it can be written: ErrValueTooLarge with its size.
func CheckValue(value []byte) error {
	if len(value) > MaxValueSize {
		return &SizeError{Err: ErrValueTooLarge, Size: int64(len(value)), Limit: MaxValueSize}
	}
	return nil
}

// CheckRange is ErrReservedKey for a range that is inverted or ends above MaxKey, nil for any other.
func CheckRange(r Range) error {
	if bytes.Compare(r.Start, r.End) > 0 || bytes.Compare(r.End, MaxKey) > 0 {
		return ErrReservedKey
	}
	return nil
}

// Clip cuts the bounds of a range to the size of a key; no key lies between a
// longer bound and its cut. The result shares memory with r.
func (r Range) Clip() Range {
	if len(r.Start) > MaxKeySize+1 {
		r.Start = r.Start[:MaxKeySize+1]
	}
	if len(r.End) > MaxKeySize+1 {
		r.End = r.End[:MaxKeySize+1]
	}
	return r
}
