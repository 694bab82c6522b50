package sqlstore

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strings"
	"unicode/utf8"
)

// maxKey is the longest text, in bytes, that is stored as it is where it
// identifies something: an index entry of PostgreSQL takes some 2,700 bytes.
const maxKey = 500

// storable makes arguments that no database refuses: PostgreSQL takes neither
// NUL nor invalid UTF-8 in text. JSON needs nothing of the kind, since
// encoding/json writes NUL as an escape and never invalid UTF-8.
func storable(args []any) []any {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = clean(arg)
		case int64, bool, []byte:
		default:
			if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
				args[i] = clean(v.String())
			}
		}
	}
	return args
}

func clean(text string) string {
	if !strings.Contains(text, "\x00") && utf8.ValidString(text) {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// key is text that identifies something, made storable and short enough for an
// index. Different texts stay different: what has to be changed gets a hash of
// what it was. Applied again it changes nothing.
func key(text string) string {
	safe := clean(text)
	if safe == text && len(text) <= maxKey {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return strings.ToValidUTF8(safe[:min(len(safe), maxKey/2)], "") + "~" + hex.EncodeToString(sum[:])
}
