package sandbox

import (
	"strings"
	"testing"
)

// FuzzRewrite holds that stored text has no bare angle brackets and that storing
// it again changes nothing.
func FuzzRewrite(f *testing.F) {
	for _, s := range []string{"a & b", "<@U1> <b> https://x.de/?a=1&b=2", "&amp;&lt;", "<!here> >quote", "📌<https://x.de|y>", "<https://x.de<y>"} {
		f.Add(s)
	}
	r := newRewriter()
	f.Fuzz(func(t *testing.T, s string) {
		once := r.rewrite(s, true)
		if twice := r.rewrite(once, true); twice != once {
			t.Errorf("%q became %q, then %q", s, once, twice)
		}
		if open, closed := strings.Count(once, "<"), strings.Count(once, ">"); open != closed {
			t.Errorf("%q became %q", s, once)
		}
	})
}
