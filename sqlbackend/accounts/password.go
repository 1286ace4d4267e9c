package accounts

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// rounds is how often caching_sha2_password hashes, in thousands, as MySQL has it.
const rounds = 5

// HashOf is the hash that is stored for a password, by the plugin's method; empty for no password.
func HashOf(plugin, password string) (string, error) {
	if password == "" {
		return "", nil
	}
	if plugin == Native {
		first := sha1.Sum([]byte(password))
		second := sha1.Sum(first[:])
		return "*" + strings.ToUpper(hex.EncodeToString(second[:])), nil
	}
	salt, err := mysql.NewSalt()
	if err != nil {
		return "", err
	}
	hash, err := mysql.SerializeCachingSha2PasswordAuthString(password, salt, rounds)
	return string(hash), err
}

// TakesPassword reports whether a password is the account's, for caching_sha2_password.
func (a *Account) TakesPassword(password string) bool {
	if a.Hash == "" || password == "" {
		return a.Hash == "" && password == ""
	}
	kind, iterations, salt, _, err := mysql.DeserializeCachingSha2PasswordAuthString([]byte(a.Hash))
	if err != nil || kind != "SHA256" {
		return false
	}
	hash, err := mysql.SerializeCachingSha2PasswordAuthString(password, salt, iterations)
	return err == nil && subtle.ConstantTimeCompare(hash, []byte(a.Hash)) == 1
}

// TakesAnswer reports whether a client's answer to a challenge shows the password, for mysql_native_password.
func (a *Account) TakesAnswer(challenge, answer []byte) bool {
	if a.Hash == "" || len(answer) == 0 {
		return a.Hash == "" && len(answer) == 0
	}
	hash, err := mysql.DecodeMysqlNativePasswordHex(a.Hash)
	return err == nil && len(answer) == sha1.Size && mysql.VerifyHashedMysqlNativePassword(answer, challenge, hash)
}

// Remembered is the digest of a correct password that is kept in memory, so that the next log-in needs no whole
// check.
func Remembered(password string) []byte {
	first := sha256.Sum256([]byte(password))
	second := sha256.Sum256(first[:])
	return second[:]
}

// noPassword stands where MariaDB keeps a hash: no password is the account's.
const noPassword = "invalid"

// validHash reports whether a text is a hash of a method.
func validHash(plugin, hash string) bool {
	if plugin == Native {
		if hash == noPassword {
			return true
		}
		_, err := hex.DecodeString(strings.TrimPrefix(hash, "*"))
		return len(hash) == 1+2*sha1.Size && hash[0] == '*' && err == nil
	}
	if len(hash) == 0 || hash[0] != '$' {
		return false
	}
	kind, _, _, _, err := mysql.DeserializeCachingSha2PasswordAuthString([]byte(hash))
	return err == nil && kind == "SHA256"
}

// Discreet is a statement's text without the passwords in it, for logs and lists of running statements.
func Discreet(text string) string {
	if !mentions(text) {
		return text
	}
	var out strings.Builder
	from, secret := 0, false
	for pos := 0; ; {
		t := statement.NextToken(text, pos)
		switch pos = t.End; {
		case t.Kind == statement.TokenEnd:
			out.WriteString(text[from:])
			return out.String()
		case t.Is(text, "IDENTIFIED"), t.Is(text, "PASSWORD"):
			secret = true
		case t.Is(text, ";"), t.Is(text, ","):
			secret = false
		case secret && t.Kind == statement.TokenString:
			// The name of an account may stand between, as in SET PASSWORD FOR 'a'@'b' = 'x'; it is left out, too.
			out.WriteString(text[from:t.Start])
			out.WriteString("<secret>")
			from = t.End
		}
	}
}

// mentions reports whether a text may have a password: it has one of two words.
func mentions(text string) bool {
	for _, word := range []string{"identified", "password"} {
		for i := 0; i+len(word) <= len(text); i++ {
			if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}
