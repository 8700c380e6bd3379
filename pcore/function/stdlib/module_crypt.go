package stdlib

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/crypt"
)

// moduleCryptFunctions returns functions that hash passwords.
func moduleCryptFunctions() []function.Function {
	return []function.Function{
		{
			Name:             "pw_hash",
			Doc:              "Returns the hash of a password as crypt(3) makes it, by md5, SHA-256, SHA-512 or bcrypt; undef for no password.",
			HandlesSensitive: true,
			OwnText:          true,
			Dispatches:       one("Variant[Undef, String, Sensitive[Optional[String]]] password, Variant[String, Sensitive[String]] type, Variant[String, Sensitive[String]] salt", passwordHash),
		},
		{
			Name:       "str2saltedsha512",
			Doc:        "Returns a salted SHA-512 hash of a password for OS X 10.7, in hexadecimal, with a salt of its own each time.",
			Effects:    function.Random,
			OwnText:    true,
			Dispatches: one("String password", saltedSHA512),
		},
		{
			Name:             "str2saltedpbkdf2",
			Doc:              "Returns a salted PBKDF2 hash of a password for OS X since 10.8: a hash of the password, the salt and the number of iterations.",
			HandlesSensitive: true,
			OwnText:          true,
			Dispatches:       one("Variant[String, Sensitive[String]] password, Variant[String, Sensitive[String]] salt, Integer iterations", saltedPBKDF2),
		},
		{
			Name:             "stdlib::crc32",
			Doc:              "Returns the CRC-32 sum of the text of a value, also of a secret, in hexadecimal.",
			HandlesSensitive: true,
			OwnText:          true,
			Dispatches: one("Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] my_data >> String", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				sum := crc32.ChecksumIEEE([]byte(rubytext.Text(secretOf(args[0]))))
				return pcore.String(strconv.FormatUint(uint64(sum), 16)), nil
			}),
		},
		{
			Name:             "stdlib::sha256",
			Doc:              "Returns the SHA-256 sum of the text of a value, also of a secret, in hexadecimal.",
			HandlesSensitive: true,
			OwnText:          true,
			Dispatches: one("Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] data >> String", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				v := secretOf(args[0])
				text := rubytext.Text(v)
				return pcore.String(hex.EncodeToString(sum256(text))), nil
			}),
		},
	}
}

// secretOf unwraps a Sensitive and returns any other value unchanged.
func secretOf(v pcore.Value) pcore.Value {
	if s, ok := v.(*pcore.Sensitive); ok {
		return s.Reveal() //nolint:forbidigo // only its hash is returned
	}
	return v
}

var (
	cryptSalt  = lazyregexp.New(`^[a-zA-Z0-9./]+$`)
	bcryptSalt = lazyregexp.New(`^([0-9]{2})\$([./A-Za-z0-9]{22})`)
)

// hashCost is the budget for hashing a password, which is slow by design.
// bcryptCost is the budget for the lowest cost of bcrypt; each further cost
// doubles it. roundCost is the budget for one iteration of PBKDF2.
const (
	hashCost   = 50_000
	bcryptCost = 500
	roundCost  = 20
)

func passwordHash(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	password, _ := secretOf(args[0]).(pcore.String)
	form, salt := strings.ToLower(str(secretOf(args[1]))), str(secretOf(args[2]))
	if salt == "" {
		return nil, errors.New("third argument must not be empty")
	}
	var hash func(password, salt string) string
	switch form {
	case "md5":
		hash = crypt.MD5
	case "sha-256":
		hash = crypt.SHA256
	case "sha-512":
		hash = crypt.SHA512
	case "bcrypt", "bcrypt-a", "bcrypt-x", "bcrypt-y":
		return bcrypt(c, string(password), (form + "-b")[len("bcrypt-")], salt)
	default:
		return nil, fmt.Errorf("%s is not a valid hash type", form)
	}
	if !cryptSalt.Get().MatchString(salt) {
		return nil, errors.New("characters in salt must be in the set [a-zA-Z0-9./]")
	}
	if password == "" {
		return pcore.Undef{}, nil
	}
	if err := c.Spend(hashCost); err != nil {
		return nil, err
	}
	return pcore.String(hash(string(password), salt)), nil
}

func bcrypt(c *function.Call, password string, variant byte, salt string) (pcore.Value, error) {
	m := bcryptSalt.Get().FindStringSubmatch(salt)
	if m == nil {
		return nil, errors.New("the salt of bcrypt must be a cost of two digits, a $ and 22 characters out of ./A-Za-z0-9")
	}
	if password == "" {
		return pcore.Undef{}, nil
	}
	cost := int(m[1][0]-'0')*10 + int(m[1][1]-'0')
	if err := c.Spend(bcryptCost << min(cost, 20)); err != nil {
		return nil, err
	}
	s, err := crypt.Bcrypt(password, variant, cost, m[2])
	return pcore.String(s), err
}

func saltedSHA512(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	salt := make([]byte, 4)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(salt, binary.LittleEndian.Uint32(salt)&(1<<31-1))
	sum := sha512.Sum512(append(salt[:4:4], str(args[0])...))
	return pcore.String(hex.EncodeToString(salt) + hex.EncodeToString(sum[:])), nil
}

func saltedPBKDF2(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	const keyLength = 128
	password, salt := str(secretOf(args[0])), str(secretOf(args[1]))
	iterations := args[2].(pcore.Integer)
	if len(salt) < 8 {
		return nil, errors.New("second argument must be at least 8 bytes long")
	}
	if iterations <= 40_000 || iterations >= 70_000 {
		return nil, errors.New("third argument must be between 40,000 and 70,000")
	}
	if err := c.Spend(roundCost * int(iterations)); err != nil {
		return nil, err
	}
	key, err := pbkdf2.Key(sha512.New, password, []byte(salt), int(iterations), keyLength)
	if err != nil {
		return nil, err
	}
	return pcore.NewHash(
		pcore.Entry{Key: pcore.String("password_hex"), Value: pcore.String(hex.EncodeToString(key))},
		pcore.Entry{Key: pcore.String("salt_hex"), Value: pcore.String(hex.EncodeToString([]byte(salt)))},
		pcore.Entry{Key: pcore.String("iterations"), Value: iterations},
	), nil
}
