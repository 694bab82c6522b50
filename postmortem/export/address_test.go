package export

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPlainAddressIsParsed: what is taken without parsing is what parsing takes,
// and is written as parsing writes it.
func TestPlainAddressIsParsed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "B", "9", ".", "-", "/", "//", "?", "=", "&", "+", ",", "_", "~", ":", "@", "%41", "%", "#", "(", "ä", " ", "..", "https://", "*"}
	taken := 0
	for range 200_000 {
		var b strings.Builder
		b.WriteString("https://")
		for range 1 + r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		address := b.String()
		if !plainAddress(address) {
			continue
		}
		taken++
		u, ok := parseLink(address)
		if !ok || linkTarget(u) != address {
			t.Fatalf("%q is taken, and parsed it is %v, %v", address, u, ok)
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d addresses were taken", taken)
	}
}
