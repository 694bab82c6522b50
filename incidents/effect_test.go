package incidents

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestEffectKinds holds the list to the constants.
func TestEffectKinds(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("effect.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []EffectKind
	for _, found := range regexp.MustCompile(`(?m)^\t\w+ +EffectKind = "(\w+)"`).FindAllSubmatch(source, -1) {
		want = append(want, EffectKind(found[1]))
	}
	if got := EffectKinds(); !slices.Equal(got, want) || len(want) < 20 {
		t.Errorf("got the kinds %q, want %q", got, want)
	}
}
