package incidents

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Limits of what people type, in characters. Slack's plain text inputs take
// 3,000; whatever is longer is refused in words, never cut silently.
const (
	MaxTitle = 200
	MaxText  = 3000
)

// Declare is a report that opens an incident.
type Declare struct {
	Request

	Title     string
	Summary   string
	Service   string
	Severity  Severity  // empty: sev3
	Detection Detection // empty: employee
	Private   bool
	Drill     bool
	// With lists people who are invited beside the reporter, by id.
	With []string
	// Report is the chat message that it is declared from, or the first one of its
	// thread; there people are told where the incident goes on. Nil for none.
	Report *Message
	// ImpactStart and Detected may be back-dated; zero is unknown (detected is
	// then the time of the report).
	ImpactStart time.Time
	Detected    time.Time
}

// Declare opens an incident in status investigating.
func (s *Service) Declare(ctx context.Context, c Declare) (Result, error) {
	if err := mayDeclare(c.Actor); err != nil {
		return Result{}, err
	}
	now := s.now()
	declared, err := c.check(now)
	if err != nil {
		return Result{}, err
	}
	return s.store.Declare(ctx, c.Once, func(number int64) (Change, error) {
		d := newDecision(s.config, Incident{Number: number}, c.Actor, now)
		s.open(d, declared)
		for _, id := range c.With {
			if id != "" && id != c.Actor.ID {
				d.run(MakeInvite, id, 1)
			}
		}
		if c.Report != nil && !c.Private {
			d.runLater(MakeReply, c.Report.Channel+"/"+c.Report.TS, 1)
		}
		return d.change(), nil
	})
}

func (c Declare) check(now time.Time) (Declared, error) {
	title, err := cleanTitle(c.Title)
	if err != nil {
		return Declared{}, err
	}
	if n := len([]rune(c.Summary)); n > MaxText {
		return Declared{}, Errorf(Invalid, "The summary has %d characters; at most %d fit. Put the rest into the channel.", n, MaxText)
	}
	if n := len([]rune(c.Service)); n > MaxTitle {
		return Declared{}, Errorf(Invalid, "The service's name has %d characters; at most %d fit.", n, MaxTitle)
	}
	for name, at := range map[string]time.Time{"impact_start": c.ImpactStart, "detected": c.Detected} {
		if at.After(now.Add(time.Minute)) {
			return Declared{}, Errorf(Invalid, "%s is in the future (%s). Give a time that has passed.", name, at.UTC().Format(time.RFC3339))
		}
	}
	source := c.Actor.Via
	times := map[KeyTime]Instant{
		DeclaredAt: {At: now, Precision: ToSecond, Source: source},
		Detected:   {At: now, Precision: Approx, Source: source},
	}
	if !c.Detected.IsZero() {
		times[Detected] = Instant{At: Micros(c.Detected), Precision: ToMinute, Source: source}
	}
	if !c.ImpactStart.IsZero() {
		times[ImpactStart] = Instant{At: Micros(c.ImpactStart), Precision: ToMinute, Source: source}
	}
	return Declared{
		Title: title, Summary: strings.TrimSpace(c.Summary), Service: strings.TrimSpace(c.Service),
		Severity: orElse(c.Severity, Sev3), Status: Investigating, Detection: orElse(c.Detection, ByEmployee),
		Private: c.Private, Drill: c.Drill, ReportedIn: c.In, Times: times,
	}, nil
}

// open records the declaration and owes all that makes a usable channel.
func (s *Service) open(d *decision, declared Declared) {
	if s.config.Bridge != nil {
		declared.BridgeURL = s.config.Bridge(d.inc.Number)
	}
	d.record(declared)
	d.owe(MakeChannel, "", 1)
	s.inChannel(d)
	d.jobs = append(d.jobs, OpenChannel{Incident: d.inc.Number})
	s.pageFromRoute(d, declared.Page)
}

// inChannel owes what the critical path makes once the channel stands.
func (s *Service) inChannel(d *decision) {
	d.owe(MakeCard, "", d.inc.Seq)
	d.owe(MakePin, "", 1)
	if id := d.inc.Reporter.ID; id != "" && d.inc.Reporter.Via == FromSlack {
		d.owe(MakeInvite, id, 1)
	}
}

// aside is how long what is optional leaves the machine and the database to the
// critical path of its incident: about the time the card and its pin take.
const aside = 500 * time.Millisecond

// afterChannel owes what runs after the critical path. Nothing of it can delay
// or break the channel.
// invited lists who is invited beside those who are in any case, by id.
func (s *Service) afterChannel(d *decision, invited ...string) {
	d.runLater(MakeTopic, "", d.inc.Seq)
	if d.inc.BridgeURL != "" {
		d.runLater(MakeBookmark, "bridge", 1)
	}
	if s.config.Announce && !d.inc.Private && !d.inc.Drill {
		d.runLater(MakeAnnounce, "", d.inc.Seq)
	}
	if !d.inc.Drill && !d.inc.Private {
		invited = append(invited, s.config.Invite...)
	}
	if !d.inc.Drill {
		invited = append(invited, d.inc.Invite...)
	}
	for _, person := range d.inc.Roles {
		invited = append(invited, person.ID)
	}
	slices.Sort(invited)
	for _, id := range slices.Compact(invited) {
		if id != d.inc.Reporter.ID {
			d.runLater(MakeInvite, id, 1)
		}
	}
}

func cleanTitle(title string) (string, error) {
	title = strings.Join(strings.FieldsFunc(title, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if title == "" {
		return "", Errorf(Invalid, "An incident needs a title. Write it like: declare Checkout answers 500 --severity sev2")
	}
	if n := len([]rune(title)); n > MaxTitle {
		return "", Errorf(Invalid, "The title has %d characters; at most %d fit. Keep it short and put the rest into the summary.", n, MaxTitle)
	}
	return title, nil
}

func orElse[T ~string](value, otherwise T) T {
	if value == "" {
		return otherwise
	}
	return value
}
