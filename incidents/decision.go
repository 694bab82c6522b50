package incidents

import (
	"slices"
	"time"
)

// decision collects what a command makes of an incident.
type decision struct {
	before  Incident
	inc     Incident
	actor   Actor
	config  Config
	now     time.Time
	events  []Event
	effects []Effect
	jobs    []Job
	// revisions and publications of the postmortem.
	revisions    []Revision
	publications []Publication
	// labels of the alerts that the decision is about.
	labels []map[string]string
	wakes  bool // see [Change]
	// generation of the effects owed in the incident's channel; 0 is 1.
	generation int64
}

func newDecision(config Config, inc Incident, actor Actor, now time.Time) *decision {
	return &decision{before: inc, inc: inc.Clone(), config: config, actor: actor, now: now}
}

// record appends what happened now and applies it.
func (d *decision) record(data Data) { d.recordAt(data, Instant{At: d.now, Precision: ToSecond}) }

// recordAt appends what happened at another time.
func (d *decision) recordAt(data Data, at Instant) { d.recordAs(d.actor, data, at) }

// recordAs appends what somebody else did, at another time.
func (d *decision) recordAs(actor Actor, data Data, at Instant) {
	e := Event{
		Incident: d.inc.Number, Seq: d.inc.Seq + 1, At: Micros(at.At), Precision: at.Precision,
		RecordedAt: d.now, Actor: actor, Data: data,
	}
	if err := d.inc.Apply(e); err != nil {
		panic(err) // Seq is computed two lines above
	}
	d.events = append(d.events, e)
}

// owe has an effect made once (version 0) or kept at least at a version.
func (d *decision) owe(kind EffectKind, target string, version int64) {
	e := owe(d.inc.Number, kind, target, max(version, 1))
	if kind != MakeAnnounce && kind != MakeTell && kind != MakeReply { // they stand elsewhere
		e.Generation = max(d.generation, 1)
	}
	d.effects = append(d.effects, e)
}

// run owes an effect and enqueues the job that makes it.
func (d *decision) run(kind EffectKind, target string, version int64) {
	d.owe(kind, target, version)
	d.jobs = append(d.jobs, RunEffect{Effect: EffectKey(d.inc.Number, kind, target), Version: max(version, 1)})
}

// runLater is run for what is not to begin before [aside] has passed.
func (d *decision) runLater(kind EffectKind, target string, version int64) {
	d.run(kind, target, version)
	last := len(d.jobs) - 1
	d.jobs[last] = Scheduled{Job: d.jobs[last], At: d.now.Add(aside)}
}

// change closes the decision: whatever happened has the card and what else shows
// the incident brought up to date.
func (d *decision) change() Change {
	d.attachRunbooks()
	d.offerTasks()
	d.refreshHomes(d.config)
	d.keepSilences()
	d.closeNudges(d.config.Nudges)
	d.moveQuestions()
	d.keepClear()
	d.keepAlerts()
	d.endPages()
	if d.inc.Channel != nil && d.any(onCard) {
		d.refresh()
	}
	change := Change{Incident: d.inc, Events: d.events, Effects: d.effects, Jobs: d.jobs, Wakes: d.wakes, Revisions: d.revisions, Publications: d.publications}
	if rows := d.config.Nudges.Plan(d.inc, d.now); !slices.Equal(rows, d.config.Nudges.Plan(d.before, d.now)) {
		change.Planned, change.Nudges = true, rows
	}
	return change
}

func (d *decision) refresh() {
	headline := d.any(inHeadline)
	if d.inc.writable() {
		d.run(MakeCard, "", d.inc.Seq)
	}
	if d.inc.writable() && headline {
		d.run(MakeTopic, "", d.inc.Seq)
	}
	if d.config.Announce && headline && !d.inc.Private && !d.inc.Drill {
		d.run(MakeAnnounce, "", d.inc.Seq)
	}
	if d.inc.writable() && !d.inc.Private && d.any(isTitle) { // a private one has no words in its name
		d.run(MakeName, "", d.inc.Seq)
	}
}

// isTitle reports whether an event gave the incident another title.
func isTitle(data Data) bool {
	_, ok := data.(Renamed)
	return ok
}

func (d *decision) any(which func(Data) bool) bool {
	return slices.ContainsFunc(d.events, func(e Event) bool { return which(e.Data) })
}

// onCard reports whether the card shows something of an event.
func onCard(data Data) bool {
	switch data := data.(type) {
	case ChannelOpened, CardPosted, RepairAsked, Noted, Amended, CaptureShared, CaptureReleased,
		ActionAdded, DraftReady, ExportAsked, ChannelRenamed, ChannelArchived, ChannelRestored, Adopted, PrivateAsked,
		AlertsCleared, StillGoingOn, NudgeAsked, NudgeClosed, NudgeDeferred,
		PostmortemWritten, PostmortemMoved, PostmortemStaffed, ReviewPlanned, ActionChanged, GapAdded, GapChanged:
		return false
	case Redacted:
		return data.Hidden // the card may have shown the words
	case FileStored, FileLost, ActionWithdrawn:
		return false
	case ChangeLinked, ChangeFinished, ChartDrawn:
		return false
	default:
		return true
	}
}

// inHeadline reports whether the topic and the announcement show something of
// an event.
func inHeadline(data Data) bool {
	switch data.(type) {
	case StatusChanged, SeverityChanged, RoleAssigned, Renamed, BridgeSet, MergedInto:
		return true
	default:
		return false
	}
}
