package stdlib

import (
	"crypto/hmac"
	"crypto/md5" //nolint:gosec // required by the password hashes of PostgreSQL
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // required by the password hashes of MySQL
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// databaseFunctions returns functions of the modules puppetlabs-mysql and
// puppetlabs-postgresql that make passwords, under their present names and their
// deprecated ones.
func databaseFunctions() []function.Function {
	mysql := function.Function{
		Name:             "mysql::password",
		Doc:              "Returns the hash of a password as the function PASSWORD() of MySQL makes it, as a Sensitive when the second argument is true. A password that is such a hash is returned unchanged.",
		HandlesSensitive: true,
		OwnText:          true,
		Dispatches:       one("Variant[String, Sensitive[String]] password, Boolean sensitive? >> Variant[String, Sensitive[String]]", mysqlPassword),
	}
	postgresql := function.Function{
		Name: "postgresql::postgresql_password",
		Doc: "Returns the hash of a password for a user of PostgreSQL, as a Sensitive when the third argument is true. " +
			"The argument hash is required; the salt of scram-sha-256 is the name of the user by default. A password that is such a hash is returned unchanged.",
		HandlesSensitive: true,
		OwnText:          true,
		Dispatches: one("Variant[String[1], Integer] username, Variant[String[1], Sensitive[String[1]], Integer] password, "+
			"Boolean sensitive?, Optional[Enum['md5', 'scram-sha-256']] hash?, Optional[Variant[String[1], Integer]] salt? >> Variant[String, Sensitive[String]]",
			postgresqlPassword),
	}
	oldMysql, oldPostgresql := mysql, postgresql
	oldMysql.Name, oldPostgresql.Name = "mysql_password", "postgresql_password"
	return append(
		from("puppetlabs-mysql", []function.Function{mysql, oldMysql}),
		from("puppetlabs-postgresql", []function.Function{postgresql, oldPostgresql, {
			Name: "postgresql::prepend_sql_password",
			Doc:  "Returns the part of an SQL command that sets a password.",
			Dispatches: one("String password >> String", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return concatenated(c, pcore.String("ENCRYPTED PASSWORD '"), args[0], pcore.String("'"))
			}),
		}})...,
	)
}

var (
	mysqlHash      = lazyregexp.New(`(?m)^\*[A-F0-9]{40}$`)
	postgresqlHash = lazyregexp.New(`(?m)^(md5[0-9a-f]{32}$|SCRAM-SHA-256\$)`)
)

func mysqlPassword(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	password := str(secretOf(args[0]))
	if password != "" && !mysqlHash.Get().MatchString(password) {
		once := sha1.Sum([]byte(password)) //nolint:gosec // as in the reference
		twice := sha1.Sum(once[:])         //nolint:gosec // likewise
		password = "*" + strings.ToUpper(hex.EncodeToString(twice[:]))
	}
	return asSensitive(pcore.String(password), optional(args, 1)), nil
}

// asSensitive returns v as a Sensitive if wanted is true.
func asSensitive(v, wanted pcore.Value) pcore.Value {
	if isTruthy(wanted) {
		return pcore.NewSensitive(v)
	}
	return v
}

func postgresqlPassword(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	user, password := args[0], secretOf(args[1])
	hash, ok := optional(args, 3).(pcore.String)
	if !ok {
		return nil, errors.New("the argument hash is missing: its default is in the class postgresql::params")
	}
	if s, ok := password.(pcore.String); ok && postgresqlHash.Get().MatchString(string(s)) {
		return asSensitive(s, optional(args, 2)), nil
	}
	var hashed string
	if hash == "md5" {
		sum := md5.Sum([]byte(rubytext.Text(password) + rubytext.Text(user))) //nolint:gosec // as in the reference
		hashed = "md5" + hex.EncodeToString(sum[:])
	} else {
		salt := user
		if v := optional(args, 4); isTruthy(v) {
			salt = v
		}
		var err error
		if hashed, err = scram(c, password, salt); err != nil {
			return nil, err
		}
	}
	return asSensitive(pcore.String(hashed), optional(args, 2)), nil
}

// scram returns the verifier of a password for SCRAM-SHA-256 as PostgreSQL stores
// it. See RFC 5802.
func scram(c *function.Call, password, salt pcore.Value) (string, error) {
	const (
		iterations = 4096
		keyLength  = 32
	)
	p, okP := password.(pcore.String)
	s, okS := salt.(pcore.String)
	if !okP || !okS {
		return "", errors.New("the password and the salt of scram-sha-256 must be texts")
	}
	if err := c.Spend(roundCost * iterations); err != nil {
		return "", err
	}
	key, err := pbkdf2.Key(sha256.New, string(p), []byte(s), iterations, keyLength)
	if err != nil {
		return "", err
	}
	sign := func(text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	stored := sha256.Sum256(sign("Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return "SCRAM-SHA-256$4096:" + encode([]byte(s)) + "$" + encode(stored[:]) + ":" + encode(sign("Server Key")), nil
}
