package tabulated

// code is the code of an extension. scalar means that there is no extension.
type code int

const (
	scalar code = -1

	codeInner      code = 0x00
	codeTabulation code = 0x01

	codeArray     code = 0x10
	codeMap       code = 0x11
	codePcore     code = 0x12
	codeObject    code = 0x13
	codeSensitive code = 0x14

	codeDefault code = 0x20
	codeComment code = 0x21

	codeRegexp       code = 0x30
	codeType         code = 0x31
	codeSymbol       code = 0x32
	codeTime         code = 0x33
	codeTimespan     code = 0x34
	codeVersion      code = 0x35
	codeVersionRange code = 0x36
	codeBinary       code = 0x37
	codeBase64       code = 0x38
	codeURI          code = 0x39
)

// maxCode is the largest code that the protocol reserves for extensions.
const maxCode = 0x7f

// metaPrefix is the prefix of the names of meta types.
const metaPrefix = "Pcore::"

// starts reports whether an extension with this code counts the values that
// follow it, so that in JSON they may be nested in its array.
func (c code) starts() bool {
	return codeArray <= c && c <= codeObject
}
