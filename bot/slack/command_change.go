package slack

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// reader turns the words of a command into what is done to an incident.
type reader func(e *Edge, ctx context.Context, o order) (incidents.Command, sayer, error)

// sayer gives the answer once a command is done.
type sayer func(inc incidents.Incident) string

// changes is the doing of a verb that is one command of the domain.
func changes(read reader) doing {
	return func(e *Edge, ctx context.Context, o order) (reply, error) {
		command, said, err := read(e, ctx, o)
		if err != nil {
			return reply{}, err
		}
		return e.did(ctx, o.number, command, said)
	}
}

// errNoIncident says that a command names no incident, in a channel of none.
var errNoIncident = errors.New("no incident is named")

// target finds the incident that a command is about: that of the channel it was
// sent in, elsewhere the one it names first; errNoIncident when there is neither.
// rest is what follows.
func (e *Edge) target(ctx context.Context, o order) (number int64, rest string, err error) {
	key, after := splitKey(o.rest)
	inc, err := e.config.Service.Store().IncidentByChannel(ctx, o.In)
	switch {
	case err == nil && strings.EqualFold(key, inc.Key()):
		return inc.Number, after, nil
	case err == nil && key != "" && namesAnother(o.verb):
		if prose(o.verb) && after != "" {
			return 0, "", incidents.Errorf(incidents.Invalid, "This is the channel of %s, and nothing was done. For the other one write: %s %s %s", inc.Key(), strings.ToUpper(key), o.verb, e.plain(after))
		}
		number, err = incidents.ParseKey(key)
		return number, after, err
	case err == nil:
		return inc.Number, o.rest, nil
	case incidents.KindOf(err) != incidents.NotFound:
		return 0, "", err
	case key != "":
		number, err = incidents.ParseKey(key)
		return number, after, err
	default:
		return 0, o.rest, errNoIncident
	}
}

// namesAnother reports whether the key of an incident after a verb says which one
// is meant, in the channel of another one too. After the others it is what they
// are about: the incident to merge into, or the first word of a text.
func namesAnother(v verb) bool {
	switch v {
	case verbUpdate, verbTimeline, verbTask, verbAction, verbRename, "merge", "link":
		return false
	default:
		return true
	}
}

// prose reports whether a text may follow a verb that can begin with the key of an
// incident: "resolve INC-2 was the cause".
func prose(v verb) bool {
	switch v {
	case verbResolve, verbReopen, verbDecline, "close":
		return true
	default:
		return false
	}
}

func (e *Edge) readSeverity(_ context.Context, o order) (incidents.Command, sayer, error) {
	severity, err := incidents.ParseSeverity(e.plain(o.rest))
	return incidents.SetSeverity{Request: o.Request, Severity: severity}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_severity", "key", inc.Key(), "severity", severity)
	}, err
}

func (e *Edge) readUpdate(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.Update{Request: o.Request, Text: e.plain(o.rest)}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_update", "key", inc.Key())
	}, nil
}

func (e *Edge) readLead(ctx context.Context, o order) (incidents.Command, sayer, error) {
	return e.readAssign(ctx, o, incidents.Commander, o.rest)
}

func (e *Edge) readRole(ctx context.Context, o order) (incidents.Command, sayer, error) {
	word, who := splitWord(o.rest)
	role, err := incidents.ParseRole(word)
	if err != nil {
		return nil, nil, err
	}
	return e.readAssign(ctx, o, role, who)
}

// readResolve takes a time and nothing else, "resolve 5m ago", as the moment
// since when it is over; everything else is a text.
func (e *Edge) readResolve(_ context.Context, o order) (incidents.Command, sayer, error) {
	command := incidents.Resolve{Request: o.Request, Text: e.plain(o.rest)}
	if at, err := e.since(o, command.Text); err == nil {
		command.Text, command.At = "", at
	}
	return command, e.sayResolved(o.Actor.ID), nil
}

// since reads the moment that somebody gives for what has been so since then:
// as [parseWhen] does, and "5m" for "5m ago".
func (e *Edge) since(o order, text string) (time.Time, error) {
	zone, now := e.config.Directory.Zone(o.Actor.ID), e.config.Clock.Now()
	at, err := parseWhen(text, now, zone)
	if err == nil {
		return at, nil
	}
	if at, short := parseWhen(text+" ago", now, zone); short == nil {
		return at, nil
	}
	return time.Time{}, err
}

func (e *Edge) readReopen(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.Reopen{Request: o.Request, Text: e.plain(o.rest)}, e.sayStatus(o.Actor.ID, incidents.Investigating), nil
}

func (e *Edge) readDecline(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.Decline{Request: o.Request, Text: e.plain(o.rest)}, e.sayStatus(o.Actor.ID, incidents.Declined), nil
}

func (e *Edge) readRename(_ context.Context, o order) (incidents.Command, sayer, error) {
	title := e.plain(o.rest)
	return incidents.Rename{Request: o.Request, Title: title}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_rename", "key", inc.Key(), "title", title)
	}, nil
}

func (e *Edge) readExport(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.Export{Request: o.Request, Format: strings.ToLower(e.plain(o.rest))}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_export", "key", inc.Key())
	}, nil
}

func (e *Edge) readRepair(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.Repair{Request: o.Request}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_repair", "key", inc.Key())
	}, nil
}

func (e *Edge) sayStatus(user string, status incidents.Status) sayer {
	if status == incidents.Resolved {
		return e.sayResolved(user)
	}
	return func(inc incidents.Incident) string {
		return e.textFor(user).Text("done_status", "key", inc.Key(), "status", status)
	}
}

// sayResolved reminds of a status page that still tells of trouble.
func (e *Edge) sayResolved(user string) sayer {
	texts := e.textFor(user)
	return func(inc incidents.Incident) string {
		text := texts.Text("done_status", "key", inc.Key(), "status", incidents.Resolved)
		if inc.Notice != nil && inc.Notice.Status() != incidents.NoticeResolved {
			text += "\n" + texts.Text("notice_still_open", "status", inc.Notice.Status(), "command", e.config.Command)
		}
		return text
	}
}

func (e *Edge) readStatus(_ context.Context, o order) (incidents.Command, sayer, error) {
	word, why := splitWord(e.plain(o.rest))
	if word == "" {
		return nil, nil, &incidents.Error{Kind: incidents.Invalid, Message: e.textFor(o.Actor.ID).Plain().Text("which_status", "command", e.config.Command)}
	}
	status, err := incidents.ParseStatus(word)
	return incidents.SetStatus{Request: o.Request, Status: status, Text: why}, e.sayStatus(o.Actor.ID, status), err
}

// readAssign reads whom a role goes to: nobody named or "me" is the one who asks,
// "nobody" and "none" free the role.
func (e *Edge) readAssign(ctx context.Context, o order, role incidents.Role, who string) (incidents.Command, sayer, error) {
	person := o.Actor.Person
	switch strings.ToLower(e.plain(who)) {
	case "", "me":
	case "nobody", "none", "niemand", "keiner", "keine":
		return incidents.Assign{Request: o.Request, Role: role}, func(inc incidents.Incident) string {
			return e.textFor(o.Actor.ID).Text("done_role_free", "key", inc.Key(), "role", role)
		}, nil
	default:
		found, err := e.config.Directory.Find(ctx, who)
		if err != nil {
			return nil, nil, err
		}
		person = found
	}
	return incidents.Assign{Request: o.Request, Role: role, Person: person}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_role", "key", inc.Key(), "role", role, "person", person.Name)
	}, nil
}

func (e *Edge) readNote(_ context.Context, o order) (incidents.Command, sayer, error) {
	zone := e.config.Directory.Zone(o.Actor.ID)
	n, err := parseNote(e.plain(o.rest), e.config.Clock.Now(), zone)
	return incidents.Note{Request: o.Request, Text: n.text, At: n.at, Until: n.until, Significant: n.key}, func(inc incidents.Incident) string {
		return e.added(o.Actor.ID, inc, n)
	}, err
}

func (e *Edge) readMitigated(_ context.Context, o order) (incidents.Command, sayer, error) {
	zone, text := e.config.Directory.Zone(o.Actor.ID), e.plain(o.rest)
	var at time.Time
	if text != "" {
		var err error
		if at, err = e.since(o, text); err != nil {
			return nil, nil, err
		}
	}
	return incidents.Mitigate{Request: o.Request, At: at}, func(inc incidents.Incident) string {
		known, ok := inc.Times[incidents.MitigatedAt]
		if !ok {
			return e.textFor(o.Actor.ID).Text("done_status", "key", inc.Key(), "status", inc.Status)
		}
		return e.textFor(o.Actor.ID).Text("done_mitigated", "key", inc.Key(), "time", clockTime(known.At, zone))
	}, nil
}

// clockTime shows a moment with its day and zone, so that a slip is seen.
func clockTime(at time.Time, zone *time.Location) string {
	return at.In(zone).Format("2006-01-02 15:04 MST")
}
