package functions

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// secretFunctions are AES_ENCRYPT and AES_DECRYPT.
func secretFunctions() []*valueDefinition {
	blob := func([]sql.Expression) sql.Type { return types.LongBlob }
	return []*valueDefinition{
		{Name: "aes_encrypt", description: "a text in secret.", least: 2, most: 3, typ: blob, give: encrypted},
		{Name: "aes_decrypt", description: "what was made secret.", least: 2, most: 3, typ: blob, give: decrypted},
	}
}

// aesOf returns the cipher for a key, and the initialization vector of CBC, as block_encryption_mode says.
func aesOf(ctx *sql.Context, f *ValueFunction, values []any) (block cipher.Block, vector []byte, err error) {
	v, err := ctx.GetSessionVariable(ctx, "block_encryption_mode")
	if err != nil {
		return nil, nil, err
	}
	mode := strings.ToLower(fmt.Sprint(v))
	name := strings.TrimSuffix(strings.TrimSuffix(mode, "-ecb"), "-cbc")
	size := map[string]int{"aes-128": 16, "aes-192": 24, "aes-256": 32}[name]
	if size == 0 {
		return nil, nil, sql.ErrUnsupportedFeature.New(f.Name + " with block_encryption_mode " + mode)
	}
	secret, err := value.TextOf(ctx, values[1])
	if err != nil {
		return nil, nil, err
	}
	key := make([]byte, size) // MySQL folds a longer key
	for i := range len(secret) {
		key[i%size] ^= secret[i]
	}
	if strings.HasSuffix(mode, "-cbc") {
		if len(values) < 3 {
			return nil, nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(f.Name), "3", len(values))
		}
		text, err := value.TextOf(ctx, values[2])
		if err != nil {
			return nil, nil, err
		}
		if len(text) < aes.BlockSize {
			return nil, nil, errShortVector(f.Name)
		}
		vector = []byte(text[:aes.BlockSize])
	}
	block, err = aes.NewCipher(key)
	return block, vector, err
}

// errShortVector returns MySQL's error for an initialization vector that is too short.
func errShortVector(name string) error {
	return mysql.NewSQLError(1882, "HY000", "The initialization vector supplied to %s is too short. "+
		"Must be at least %d bytes long", name, aes.BlockSize)
}

func encrypted(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	block, vector, err := aesOf(ctx, f, values)
	if err != nil {
		return nil, err
	}
	text, err := value.TextOf(ctx, values[0])
	if err != nil {
		return nil, err
	}
	fill := aes.BlockSize - len(text)%aes.BlockSize
	out := append([]byte(text), make([]byte, fill)...)
	for i := len(text); i < len(out); i++ {
		out[i] = byte(fill)
	}
	if vector != nil {
		cipher.NewCBCEncrypter(block, vector).CryptBlocks(out, out)
		return out, nil
	}
	for i := 0; i < len(out); i += aes.BlockSize {
		block.Encrypt(out[i:], out[i:])
	}
	return out, nil
}

// decrypted computes AES_DECRYPT: NULL for data that the key did not encrypt.
func decrypted(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	block, vector, err := aesOf(ctx, f, values)
	if err != nil {
		return nil, err
	}
	text, err := value.TextOf(ctx, values[0])
	if err != nil || text == "" || len(text)%aes.BlockSize != 0 {
		return nil, err
	}
	out := []byte(text)
	if vector != nil {
		cipher.NewCBCDecrypter(block, vector).CryptBlocks(out, out)
	} else {
		for i := 0; i < len(out); i += aes.BlockSize {
			block.Decrypt(out[i:], out[i:])
		}
	}
	fill := int(out[len(out)-1])
	if fill == 0 || fill > aes.BlockSize {
		return nil, nil
	}
	for _, b := range out[len(out)-fill:] {
		if int(b) != fill {
			return nil, nil
		}
	}
	return out[:len(out)-fill], nil
}
