package incidents

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestEffectKinds holds the list to the constants, wherever they stand.
func TestEffectKinds(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []EffectKind
	for _, file := range files {
		source, err := os.ReadFile(file) //nolint:gosec // this package's own
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^(?:const|\t)\s*\w+ +EffectKind = "(\w+)"`).FindAllSubmatch(source, -1) {
			want = append(want, EffectKind(found[1]))
		}
	}
	got := EffectKinds()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 28 {
		t.Errorf("got the kinds %q, want %q", got, want)
	}
}
