package document

// appendPathName spells a name in a JSON path expression, quoted unless it is
// an identifier of ASCII letters, digits, '_' and '$'.
func appendPathName(dst []byte, name string) []byte {
	quote := name == "" || isDigit(name[0])
	for i := 0; i < len(name) && !quote; i++ {
		quote = !isIdentifierByte(name[i])
	}
	if quote {
		return appendQuoted(dst, name)
	}
	return append(dst, name...)
}

func isIdentifierByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$'
}
