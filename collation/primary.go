package collation

// Bytes of a sort key that are not weights. Both are below every byte that a
// weight or a count begins with, and keys end with neither, so that a key
// which is a prefix of another sorts first whatever follows it.
const (
	// Terminator is the byte that whoever puts something behind a sort key
	// writes between the two.
	Terminator = 0x01
	separator  = 0x02 // between levels
	firstCode  = 0x03
)

// shortPrimaries are the primary weights that get one byte: those of the
// ASCII characters in the root order of UCA 6.2. The list is part of the key format: weights
// that are not in it have longer codes, in every locale and version.
var shortPrimaries = [...]uint16{
	0x100, 0x101, 0x102, 0x103, 0x104, 0x109, 0x10b, 0x10d, 0x120, 0x131, 0x136, 0x15d, 0x162, 0x172, 0x1e9, 0x1f0,
	0x1fa, 0x1fb, 0x1fc, 0x1fd, 0x1fe, 0x1ff, 0x26b, 0x26c, 0x271, 0x272, 0x273, 0x275, 0x276, 0x30f, 0x312, 0x49c,
	0x4a0, 0x4a1, 0x4a2, 0x4a4, 0x4a6, 0x13ef,
	0x14e6, 0x14e7, 0x14e8, 0x14e9, 0x14ea, 0x14eb, 0x14ec, 0x14ed, 0x14ee, 0x14ef,
	0x15ef, 0x1605, 0x161d, 0x1631, 0x164c, 0x1684, 0x1691, 0x16b4, 0x16cd, 0x16e6, 0x16ff, 0x1711, 0x1741, 0x174f,
	0x1771, 0x1796, 0x17ab, 0x17bd, 0x17f3, 0x1816, 0x1836, 0x185f, 0x1871, 0x187b, 0x1880, 0x1895,
}

// Weights below mediumPrimaries without a code of one byte have two bytes, the
// others, up to maxPrimary (21 bits in x/text), three.
const (
	mediumPrimaries = 0x4400
	maxPrimary      = 1<<21 - 1
)

// primaryCodes is an alphabetic code: codes compare as their weights do, and
// none is a prefix of another.
type primaryCodes struct {
	// code is, for a weight below mediumPrimaries, the first byte and, in the
	// lower half, the second.
	code  [mediumPrimaries]uint16
	size  [256]uint8 // length of the code by its first byte; 0: none begins so
	large byte       // first byte of the first code of three bytes
}

var codes = makePrimaryCodes()

func makePrimaryCodes() *primaryCodes {
	p := new(primaryCodes)
	lead, next := firstCode, 1 // weight 0 is "none"
	medium := func(end int) {
		for ; next < end; lead++ {
			p.size[lead] = 2
			for second := 0; second < 256 && next < end; second++ {
				p.code[next] = uint16(lead)<<8 | uint16(second)
				next++
			}
		}
	}
	for _, w := range shortPrimaries {
		medium(int(w))
		p.size[lead] = 1
		p.code[w] = uint16(lead) << 8
		lead++
		next++
	}
	medium(mediumPrimaries)
	p.large = byte(lead)
	for w := mediumPrimaries; w <= maxPrimary; w += 1 << 16 {
		p.size[lead] = 3
		lead++
	}
	return p
}

// appendPrimary appends the code of a weight from 1 to maxPrimary.
func appendPrimary(dst []byte, w int) []byte {
	if w < mediumPrimaries {
		code := codes.code[w]
		lead := byte(code >> 8)
		if codes.size[lead] == 1 {
			return append(dst, lead)
		}
		return append(dst, lead, byte(code))
	}
	w -= mediumPrimaries
	return append(dst, codes.large+byte(w>>16), byte(w>>8), byte(w))
}
