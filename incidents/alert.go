package incidents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// Alert is one alert of a group, open while it fires. There is one open row
// for each (group, fingerprint).
type Alert struct {
	ID          int64 // the row's, 0 for a new one
	Group       string
	Fingerprint string
	Firing      bool
	StartsAt    time.Time // may move while it fires; zero when the sender gave none
	FiredAt     time.Time // the latest StartsAt that it was told to fire with; no earlier end is its own
	EndsAt      time.Time // zero while it fires
	SeenAt      time.Time // when this life of it was first heard of
	ReceivedAt  time.Time // when the row was last changed by a delivery
	// Until is when it counts as over unless its sender has said again that it fires.
	// Zero: its end is told. See [Service.EndLapsed]. One that is over all the same
	// without anybody having said so has it, too.
	Until time.Time
	// Sender is the sender's own group, shortened, where Group is another; empty where
	// Group is that.
	Sender      string
	Labels      map[string]string
	Annotations map[string]string
	URL         string // generatorURL as sent; not to be trusted as a link
	Route       string // name of the route it takes
	Action      RouteAction
}

// Name is the alert's name for reading.
func (a Alert) Name() string {
	if rule := a.Labels["rulename"]; rule != "" && (a.Labels["alertname"] == NoDataAlert || a.Labels["alertname"] == RuleErrorAlert) {
		return rule + " (" + a.Labels["alertname"] + ")"
	}
	if way := kubenurseWay(a.Labels); way != "" && a.Labels["alertname"] != "" {
		return a.Labels["alertname"] + " " + way
	}
	for _, label := range []string{"alertname", "rulename", "job", "instance"} {
		if v := a.Labels[label]; v != "" {
			return v
		}
	}
	return "alert " + a.Fingerprint
}

// FingerprintOf computes a fingerprint for senders that give none: it depends
// on the labels only.
func FingerprintOf(labels map[string]string) string {
	return digest(labelText(labels))[:16]
}

// Delivery is one webhook call of an alert sender, decoded.
type Delivery struct {
	Source     string // ?source=, "default" when absent
	Receiver   string
	GroupKey   string            // as sent; may be 10,000 characters long
	Labels     map[string]string // the group's labels
	Alerts     []Alert           // Group is filled by the Service
	Truncated  int               // alerts the sender left out
	Detection  Detection         // what an incident of it was detected by; empty: as its alerts say
	ReceivedAt time.Time
	Body       []byte // as received
	// Peer tells the members of a sender's pair apart (its externalURL); it is no
	// part of any identity.
	Peer string
	// SentBy is what people call the sender: Grafana, Prometheus; empty: unknown.
	SentBy string
	// Alertmanager says that an Alertmanager sent it, which can be asked about its
	// alerts.
	Alertmanager bool
	// AskedAt is when it was asked for; zero for what a sender delivered by itself,
	// which may have been overtaken on its way.
	AskedAt time.Time
}

// AlertGroup is what Houston knows of one group of alerts of one source.
type AlertGroup struct {
	ID       string
	Source   string
	Receiver string
	Labels   map[string]string
	// Incident is the number of the incident the group belongs to, 0 for none.
	Incident int64
	Offer    OfferState
	// Version rises with every change that an offer's message shows.
	Version int64
	// Round counts the offers: each is a message of its own.
	Round  int64
	Firing int // open alerts whose action counts
	// What an incident of this group would be called, and since when it fires.
	Title       string
	Summary     string
	Severity    Severity
	Service     string
	FiringSince time.Time // zero when unknown
	Detection   Detection // what the incident was detected by; empty: an alert
	DecidedBy   Person    // who clicked Declare or Not an incident
	Plan        Plan      // of the route that the alerts took
	// Truncated counts the alerts that the sender left out of its last delivery and
	// that are not known from an earlier one, by the sender's group. While there are any nobody knows whether all are
	// resolved.
	Truncated map[string]int
	// DueAt is when the group is to be looked at unasked; zero: never.
	DueAt time.Time
	Heart *Heart // of a dead man's switch; nil for others
	// SentBy is what people call its first sender; empty: unknown.
	SentBy string
	// Alertmanager says that all its alerts come from an Alertmanager, which can be
	// asked about them.
	Alertmanager bool
}

// actor is who has done what the group's alerts do.
func (g AlertGroup) actor() Actor {
	name := g.SentBy
	switch {
	case name != "":
	case g.Alertmanager:
		name = "Alertmanager"
	default:
		name = "Monitoring"
	}
	return Actor{Person: Person{Name: name}, Via: FromAlert, Standing: Trusted}
}

// OfferState is where the offer of a group stands.
type OfferState string

// The states of an offer.
const (
	NoOffer   OfferState = ""
	Offered   OfferState = "offered"
	Dismissed OfferState = "dismissed" // "Not an incident": until all its alerts are resolved
	Accepted  OfferState = "accepted"
)

// GroupID is the identity of a group: source, receiver and groupKey, hashed,
// since a groupKey has no bound. The sender's externalURL is no part of it: it
// differs between the peers of a pair.
func GroupID(source, receiver, groupKey string) string {
	return digest(strings.Join([]string{"group", source, receiver, groupKey}, "\x00"))
}

// apart is the identity of those alerts of a group that must not meet the
// others: what is private, and heartbeats.
func apart(id, why string) string { return digest(strings.Join([]string{"apart", id, why}, "\x00")) }

// joinedID is the identity of a group made by join_by labels.
func joinedID(source string, labels map[string]string) string {
	return digest("join\x00" + source + "\x00" + labelText(labels))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func labelText(labels map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		raw, _ := json.Marshal([2]string{name, labels[name]})
		b.Write(raw)
	}
	return b.String()
}
