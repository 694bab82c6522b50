package incidents

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"
)

// PageState says how far a page is.
type PageState string

// The states of a page.
const (
	PageOwed         PageState = "owed" // the pager has not taken it yet
	PageSent         PageState = "sent"
	PageAcknowledged PageState = "acknowledged"
	PageResolved     PageState = "resolved"
)

// Page is one waking of one target of the pager.
type Page struct {
	Target string    `json:"target"` // in the pager's words
	Key    string    `json:"key"`    // what the pager knows it by; no other page ever has it
	Round  int       `json:"round"`  // 1, 2 …: a target is woken again when the page before is resolved
	ID     string    `json:"id,omitempty"`
	State  PageState `json:"state"`
	By     string    `json:"by,omitempty"` // who acknowledged it
	At     time.Time `json:"at"`           // when it came to its state
}

// effectTarget names the page among the effects of its incident.
func (p Page) effectTarget() string {
	if p.Round <= 1 {
		return p.Target
	}
	return fmt.Sprintf("%s#%d", p.Target, p.Round)
}

// PageFor gives the page that an effect of kind [MakePage] makes.
func (inc Incident) PageFor(effect Effect) (Page, bool) {
	target, _, _ := strings.Cut(effect.Target, "#")
	p, ok := inc.Pages[target]
	return p, ok && p.effectTarget() == effect.Target
}

// PageAsked has somebody woken.
type PageAsked struct {
	Target string `json:"target"`
	Key    string `json:"key"`
	Round  int    `json:"round"`
}

// PageTaken says that the pager has taken a page.
type PageTaken struct {
	Target string `json:"target"`
	ID     string `json:"id"`
}

// PageAnswered says that a page was acknowledged or resolved.
type PageAnswered struct {
	Target string    `json:"target"`
	State  PageState `json:"state"`
	By     string    `json:"by,omitempty"`
}

// Type is the name the event is stored under.
func (PageAsked) Type() string { return "page_asked" }

// Type is the name the event is stored under.
func (PageTaken) Type() string { return "page_taken" }

// Type is the name the event is stored under.
func (PageAnswered) Type() string { return "page_answered" }

// Entry of a page that is asked for: none until the pager has taken it.
func (PageAsked) Entry() (EntryKind, string) { return "", "" }

// Entry of a page.
func (d PageTaken) Entry() (EntryKind, string) { return Action, d.Told().String() }

// Told is the entry of a page.
func (d PageTaken) Told() Phrase { return Phrasef("Paged %s", d.Target) }

// Entry of an answer to a page.
func (d PageAnswered) Entry() (EntryKind, string) {
	if d.State != PageAcknowledged {
		return "", "" // that it is over is told by the incident itself
	}
	return Action, d.Told().String()
}

// Told is the entry of an acknowledgement.
func (d PageAnswered) Told() Phrase {
	if d.By == "" {
		return Phrasef("The page of %s was acknowledged", d.Target)
	}
	return Phrasef("%s acknowledged the page of %s", d.By, d.Target)
}

func (d PageAsked) apply(inc *Incident, e Event) {
	inc.setPage(Page{Target: d.Target, Key: d.Key, Round: d.Round, State: PageOwed, At: e.At})
}

func (d PageTaken) apply(inc *Incident, e Event) {
	p := inc.Pages[d.Target]
	p.ID = d.ID
	if p.State == PageOwed {
		p.State, p.At = PageSent, e.At
	}
	inc.setPage(p)
}

func (d PageAnswered) apply(inc *Incident, e Event) {
	p := inc.Pages[d.Target]
	p.State, p.By, p.At = d.State, d.By, e.At
	inc.setPage(p)
}

func (inc *Incident) setPage(p Page) {
	if inc.Pages == nil {
		inc.Pages = map[string]Page{}
	}
	inc.Pages[p.Target] = p
}

// PageOut has somebody woken. The targets are those of the pager's configuration.
type PageOut struct {
	Request

	Target string
}

func (PageOut) permission() Permission { return ToPage }

func (c PageOut) decide(d *decision) error {
	switch {
	case d.inc.Drill:
		return Errorf(Conflict, "%s is a drill; nobody is paged for it.", d.inc.Key())
	case !d.inc.Status.Open():
		return Errorf(Conflict, "%s is %s; nobody is paged for it. `reopen` it first.", d.inc.Key(), d.inc.Status)
	}
	if p, ok := d.inc.Pages[c.Target]; ok {
		switch p.State {
		case PageOwed, PageSent:
			return Errorf(Conflict, "%s was paged at %s already; nobody has acknowledged it yet.", c.Target, p.At.Format("15:04 MST"))
		case PageAcknowledged:
			return Errorf(Conflict, "%s was paged already, and the page is acknowledged.", c.Target)
		case PageResolved:
		}
	}
	d.page(c.Target)
	return nil
}

// page owes a page, beside everything else.
func (d *decision) page(target string) {
	round := d.inc.Pages[target].Round + 1
	d.record(PageAsked{Target: target, Key: fmt.Sprintf("houston/%s/%s", d.inc.Key(), rand.Text()), Round: round})
	d.runLater(MakePage, d.inc.Pages[target].effectTarget(), 1)
}

// pageFromRoute pages whom the route of the alerts names.
func (s *Service) pageFromRoute(d *decision, targets []string) {
	if d.inc.Drill {
		return
	}
	for _, target := range targets {
		target = strings.ToLower(target)
		if _, paged := d.inc.Pages[target]; !paged && slices.Contains(s.config.PageTargets, target) {
			d.page(target)
		}
	}
}

// endPages has the pages of an incident that is over resolved at the pager.
func (d *decision) endPages() {
	if d.inc.Status.Open() || !d.before.Status.Open() {
		return // it goes on, or it was over before
	}
	for _, target := range sortedKeys(d.inc.Pages) {
		if p := d.inc.Pages[target]; p.State != PageResolved {
			d.run(MakePage, p.effectTarget(), d.inc.Seq)
		}
	}
}

// PageTargets lists whom the pager can wake; empty: there is no pager.
func (s *Service) PageTargets() []string { return s.config.PageTargets }

// Page has somebody woken for an incident. Without a target it is the pager's
// "default", or its only one.
func (s *Service) Page(ctx context.Context, number int64, c PageOut) (Result, error) {
	targets := s.config.PageTargets
	c.Target = strings.ToLower(strings.TrimSpace(c.Target))
	switch {
	case len(targets) == 0:
		return Result{}, Errorf(Conflict, "Houston has no pager. Whoever runs it can set one up under \"pager\" in its configuration.")
	case c.Target == "" && len(targets) == 1:
		c.Target = targets[0]
	case c.Target == "" && slices.Contains(targets, "default"):
		c.Target = "default"
	}
	if !slices.Contains(targets, c.Target) {
		return Result{}, Errorf(Invalid, "Nobody can be paged as %q. Use one of %s.", c.Target, strings.Join(targets, ", "))
	}
	return s.Do(ctx, number, c)
}

// PageMade records what the pager was told: that it took a page, or that the page
// is resolved there; an empty state: it was told nothing. What counts is what was
// told, however the incident stands by now, since it may have ended or been
// reopened while the pager had not answered yet. The effect's lease must be held.
func (s *Service) PageMade(ctx context.Context, effect Effect, id string, told PageState, shown int64) error {
	effect.succeed(id, "", shown, s.now())
	_, err := s.learn(ctx, effect, func(d *decision) {
		p, ok := d.inc.PageFor(effect)
		switch {
		case !ok:
		case told == PageSent && p.ID == "":
			at := d.now
			if p.State != PageOwed { // its answer came before the pager's own
				at = p.At
			}
			d.record(PageTaken{Target: p.Target, ID: id})
			d.tell()
			if _, known := d.inc.Times[Paged]; !known {
				d.record(KeyTimeSet{Key: Paged, Instant: Instant{At: at, Precision: ToSecond, Source: FromHouston}})
			}
		case told == PageResolved && p.State != PageResolved:
			d.record(PageAnswered{Target: p.Target, State: PageResolved})
		}
	})
	return err
}

// PageSignal is what a pager tells of a page: by its key, or, of one that does
// not give it back, by the pager's own id.
type PageSignal struct {
	Key, ID string
	State   PageState // acknowledged or resolved
	By      string    // who; empty: unknown
	At      time.Time // zero: now
}

// OwnPage reports whether a pager's key is one of Houston's.
func OwnPage(key string) bool { return strings.HasPrefix(key, "houston/INC-") }

// TakePage records what a pager tells of a page. What is known, late or of
// nobody's page changes nothing.
func (s *Service) TakePage(ctx context.Context, signal PageSignal) error {
	number, err := s.pageIncident(ctx, signal)
	if err != nil || number == 0 {
		return err
	}
	_, err = s.store.Update(ctx, number, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, Houston(), s.now())
		for _, target := range sortedKeys(d.inc.Pages) {
			p := d.inc.Pages[target]
			if !signal.of(p) || p.State == signal.State || p.State == PageResolved || p.State == PageOwed && signal.Key == "" {
				continue
			}
			d.answerPage(p, signal)
		}
		return d.change(), nil
	})
	if KindOf(err) == NotFound {
		return nil // another Houston's
	}
	return err
}

func (s PageSignal) of(p Page) bool {
	return s.Key != "" && p.Key == s.Key || s.Key == "" && s.ID != "" && p.ID == s.ID
}

func (d *decision) answerPage(p Page, signal PageSignal) {
	at := Instant{At: d.now, Precision: ToSecond, Source: FromHouston}
	if plausible(signal.At, d.now) && !signal.At.Before(p.At) {
		at.At = Micros(signal.At)
	}
	d.recordAt(PageAnswered{Target: p.Target, State: signal.State, By: cut(signal.By, MaxTitle)}, at)
	if signal.State != PageAcknowledged {
		return
	}
	d.tell()
	if _, known := d.inc.Times[Acknowledged]; !known {
		d.record(KeyTimeSet{Key: Acknowledged, Instant: at})
	}
}

// pageIncident finds the incident of a page; 0 when there is none.
func (s *Service) pageIncident(ctx context.Context, signal PageSignal) (int64, error) {
	if signal.Key != "" {
		key, _, _ := strings.Cut(strings.TrimPrefix(signal.Key, "houston/"), "/")
		number, err := ParseKey(key)
		if err != nil || !OwnPage(signal.Key) {
			return 0, nil //nolint:nilerr // it is none of ours
		}
		return number, nil
	}
	open, err := s.openPages(ctx)
	if err != nil {
		return 0, err
	}
	for _, inc := range open {
		for _, p := range inc.Pages {
			if signal.of(p) {
				return inc.Number, nil
			}
		}
	}
	return 0, nil
}

// openPages lists the open incidents that somebody was paged for.
func (s *Service) openPages(ctx context.Context) ([]Incident, error) {
	open, err := s.store.Incidents(ctx, Query{Statuses: []Status{Triage, Investigating, Identified, Monitoring}, Private: true, Limit: 500})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(open, func(inc Incident) bool { return len(inc.Pages) == 0 }), nil
}

// FollowPages asks a pager how the pages stand that nobody has acknowledged yet.
// Its last error is given back when the others were asked.
func (s *Service) FollowPages(ctx context.Context, ask func(context.Context, Page) (PageSignal, error)) error {
	open, err := s.openPages(ctx)
	if err != nil {
		return err
	}
	var last error
	for _, inc := range open {
		for _, target := range sortedKeys(inc.Pages) {
			p := inc.Pages[target]
			if p.State != PageSent {
				continue
			}
			signal, err := ask(ctx, p)
			if err != nil {
				last = fmt.Errorf("ask the pager for %s: %w", p.Key, err)
				continue
			}
			if signal.State == "" {
				continue
			}
			signal.Key = p.Key
			if err := s.TakePage(ctx, signal); err != nil {
				return err
			}
		}
	}
	return last
}
