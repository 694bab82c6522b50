package sqlstore_test

import (
	"time"

	"github.com/houston-sre/houston/incidents"
)

// rare plays what chance alone brings about in few lives: each step in a state
// that was made for it.
func (p *player) rare() {
	do := func(number int64, commands ...incidents.Command) {
		for _, c := range commands {
			_, err := p.service.Do(p.t.Context(), number, c)
			p.must("do", err)
		}
	}
	channel := p.declareInChannel()
	inc := p.before[channel]
	do(
		inc.Number,
		incidents.NoteChannel{Request: by(""), Channel: inc.Channel.ID, Name: "inc-renamed", At: "9.000001"},
		incidents.NoteChannel{Request: by(""), Channel: inc.Channel.ID, Archived: new(true)},
		incidents.NoteChannel{Request: by(""), Channel: inc.Channel.ID, Archived: new(false)},
		incidents.SetBridge{Request: by(""), URL: "https://meet.example.com/rare"},
		incidents.Capture{
			Request: by(""), Message: incidents.Message{Channel: "C", TS: "8.000001"}, Text: "A picture", At: p.store.clock.Now(),
			Mark: incidents.MarkTimeline, Files: []incidents.File{{ID: "F9", Name: "c.png"}},
		},
		incidents.MakePrivate{Request: by("")},
	)
	p.fails(inc.Number, incidents.MakeFetch)          // the file is lost
	p.fails(inc.Number, incidents.MakePrivateChannel) // and it stays public

	d := delivery(firing("Rare", "1"))
	d.GroupKey = "rare"
	p.must("fire", p.service.Ingest(p.t.Context(), d))
	alarmed := int64(len(p.before))
	for range 2 {
		_, err := p.service.SilenceAlerts(p.t.Context(), alarmed, by(""), "", time.Hour)
		p.must("silence", err)
	}
	d.Alerts[0] = resolved(d.Alerts[0], p.store.clock.Now())
	p.must("end", p.service.Ingest(p.t.Context(), d))
	do(alarmed, incidents.GoOn{Request: by("")})

	// A channel that is in the archive is not taken out of it: it goes on in another.
	archived := p.before[p.declareInChannel()]
	do(
		archived.Number, incidents.NoteChannel{Request: by(""), Channel: archived.Channel.ID, Archived: new(true)},
		incidents.Resolve{Request: by("")}, incidents.Reopen{Request: by("")},
	)
	p.makeChannel(archived.Number)
}

// must is check of what has to succeed.
func (p *player) must(action string, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("rare: %s: %v", action, err)
	}
	p.check("rare", action, nil)
}

func (p *player) declareInChannel() int64 {
	result, err := p.service.Declare(p.t.Context(), incidents.Declare{Request: by(""), Title: "Rare"})
	p.must("declare", err)
	p.makeChannel(result.Incident.Number)
	return result.Incident.Number
}

func (p *player) makeChannel(number int64) {
	e := p.taken(number, incidents.MakeChannel)
	_, err := p.service.ChannelMade(p.t.Context(), e, incidents.Channel{ID: e.Marker(), Name: "inc"})
	p.must("make a channel", err)
}

// fails has an effect of an incident fail for good.
func (p *player) fails(number int64, kind incidents.EffectKind) {
	e := p.taken(number, kind)
	e.Reason, e.Failed = "It can not be", true
	p.must("fail", p.service.EffectFailing(p.t.Context(), e))
}

// taken gives an owed effect of a kind as its worker has it.
func (p *player) taken(number int64, kind incidents.EffectKind) incidents.Effect {
	effects, err := p.store.Effects(p.t.Context(), number)
	p.must("list effects", err)
	for _, e := range effects {
		if e.Kind == kind && e.State() == incidents.Owed {
			e, taken, err := p.store.TakeEffect(p.t.Context(), e.Key, p.store.clock.Now(), time.Minute)
			p.must("take an effect", err)
			if !taken {
				p.t.Fatalf("rare: %s is not to be had", e.Key)
			}
			return e
		}
	}
	p.t.Fatalf("rare: %s owes no %s", incidents.Key(number), kind)
	return incidents.Effect{}
}
