package evidence_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem/evidence"
	"github.com/houston-sre/houston/postmortem/evidence/promtest"
)

type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

// drawer is Charts that keep their last picture in memory.
func drawer(now time.Time, kept *[]byte, clients ...*evidence.Client) *evidence.Charts {
	return evidence.NewCharts(evidence.ChartsConfig{
		Clients: clients, Clock: fixedClock(now), Zone: time.UTC,
		Save: func(r io.Reader, _ int64) (string, error) {
			data, err := io.ReadAll(r)
			*kept = data
			return strings.Repeat("ab", 32), err //nolint:wrapcheck // a test's reader
		},
		Moment: func(key incidents.KeyTime) string { return string(key) },
		More:   func(int) string { return "more" },
	})
}

func client(t *testing.T, url string) *evidence.Client {
	t.Helper()
	c, err := evidence.New(evidence.Config{Name: "berlin", URL: url})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// slowness is a minute's p99 of three pods over two hours before now.
func slowness(now time.Time) []promtest.Sample {
	var samples []promtest.Sample
	for _, pod := range []string{"offers-1", "offers-2", "offers-3"} {
		for at := now.Add(-2 * time.Hour); !at.After(now); at = at.Add(15 * time.Second) {
			value := 0.3
			if at.After(now.Add(-40 * time.Minute)) {
				value = 60
			}
			samples = append(samples, promtest.Sample{Name: "p99_seconds", Labels: map[string]string{"pod": pod, "service": "offers"}, At: at, Value: value})
		}
	}
	return samples
}

// TestDraw asks a real Prometheus, and everything that can be wrong with a query.
func TestDraw(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Minute)
	prom := promtest.Start(t, slowness(now)...)
	inc := incidents.Incident{Number: 1, Status: incidents.Investigating, Times: map[incidents.KeyTime]incidents.Instant{
		incidents.ImpactStart: {At: now.Add(-40 * time.Minute)}, incidents.DeclaredAt: {At: now.Add(-30 * time.Minute)},
	}}
	var kept []byte
	charts := drawer(now, &kept, client(t, prom.URL()))
	chart, err := charts.Draw(t.Context(), inc, incidents.ChartWanted{Expr: `max by (pod) (p99_seconds{service="offers"})`})
	if err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(kept))
	if err != nil || config.Width != 1000 || config.Height != 600 {
		t.Errorf("the picture is %+v, %v, want 1000 by 600", config, err)
	}
	if !chart.Start.Equal(now.Add(-70*time.Minute)) || !chart.End.Equal(now) || chart.Series != 3 || chart.Source != "berlin" {
		t.Errorf("chart = %+v, want half an hour more than the incident, three series", chart)
	}
	if chart.File.Size != int64(len(kept)) || chart.File.Type != "image/png" || chart.File.Digest == "" {
		t.Errorf("file = %+v", chart.File)
	}
	first := kept
	if _, err := charts.Draw(t.Context(), inc, incidents.ChartWanted{Expr: `max by (pod) (p99_seconds{service="offers"})`}); err != nil || !bytes.Equal(first, kept) {
		t.Errorf("the same chart drawn twice differs, %v", err)
	}
	if chart, err := charts.Draw(t.Context(), inc, incidents.ChartWanted{Expr: "p99_seconds", Last: 2 * time.Hour, Source: "Berlin"}); err != nil || !chart.Start.Equal(now.Add(-2*time.Hour)) {
		t.Errorf("the last two hours: %+v, %v", chart, err)
	}

	for _, tt := range []struct {
		name   string
		wanted incidents.ChartWanted
		kind   incidents.ErrorKind
		want   string
	}{
		{"no PromQL", incidents.ChartWanted{Expr: "sum by ("}, incidents.Invalid, "does not understand the query: "},
		{"no such metric", incidents.ChartWanted{Expr: "p99_second"}, incidents.NotFound, "has no data for this query between"},
		{"words", incidents.ChartWanted{Expr: `"words"`}, incidents.Invalid, "Prometheus berlin"},
		{"fails as it runs", incidents.ChartWanted{Expr: `p99_seconds * on () p99_seconds`}, incidents.Invalid, "can not answer the query: "},
		{"unknown source", incidents.ChartWanted{Expr: "up", Source: "paris"}, incidents.Invalid, "Name one of berlin"},
		{"too long", incidents.ChartWanted{Expr: strings.Repeat("x", 3000)}, incidents.Invalid, "3000 characters"},
	} {
		_, err := charts.Draw(t.Context(), inc, tt.wanted)
		if incidents.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Draw(%+v) = %v, want %s with %q", tt.name, tt.wanted, err, tt.kind, tt.want)
		}
	}
	if err := client(t, prom.URL()).Check(t.Context()); err != nil {
		t.Errorf("Check = %v", err)
	}
	prom.Stop(t)
	if _, err := charts.Draw(t.Context(), inc, incidents.ChartWanted{Expr: "up"}); incidents.KindOf(err) != incidents.Unavailable || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("with Prometheus gone: %v", err)
	}
}

// TestClientProvesWhoAsks holds each proof of who asks, and that a redirect gets none.
func TestClientProvesWhoAsks(t *testing.T) {
	t.Parallel()
	var seen http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		switch {
		case strings.HasPrefix(r.URL.Path, "/moved"):
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case r.Header.Get("Authorization") == "":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			_, _ = io.WriteString(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
		}
	}))
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		name   string
		config evidence.Config
		want   string // of the header Authorization
		fails  string
	}{
		{"bearer", evidence.Config{BearerToken: "sesame", Headers: map[string]string{"X-Scope-OrgID": "bank"}}, "Bearer sesame", ""},
		{"basic", evidence.Config{Username: "houston", Password: "sesame"}, "Basic aG91c3RvbjpzZXNhbWU=", ""},
		{"nothing", evidence.Config{}, "", "refuses Houston's credentials"},
		{"moved", evidence.Config{BearerToken: "sesame", URL: server.URL + "/moved"}, "Bearer sesame", "has an error of its own"},
	} {
		tt.config.Name = "berlin"
		if tt.config.URL == "" {
			tt.config.URL = server.URL
		}
		c, err := evidence.New(tt.config)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Check(t.Context())
		if (err == nil) != (tt.fails == "") || (err != nil && !strings.Contains(err.Error(), tt.fails)) {
			t.Errorf("%s: Check = %v, want %q", tt.name, err, tt.fails)
		}
		if got := seen.Get("Authorization"); got != tt.want || seen.Get("X-Scope-OrgID") != tt.config.Headers["X-Scope-OrgID"] {
			t.Errorf("%s: headers %v, want Authorization %q", tt.name, seen, tt.want)
		}
	}
}

// TestPictures draws what is odd: nothing fails, and each picture can be read.
func TestPictures(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 3, 29, 4, 0, 0, 0, time.UTC)
	zone, err := time.LoadLocation("Europe/Berlin") // the clock was moved that night
	if err != nil {
		t.Fatal(err)
	}
	flat := func(values ...float64) []evidence.Line {
		var piece []evidence.Point
		for i, v := range values {
			piece = append(piece, evidence.Point{At: end.Add(-time.Duration(len(values)-i) * time.Minute), Value: v})
		}
		return []evidence.Line{{Pieces: [][]evidence.Point{piece}}}
	}
	many := make([]evidence.Mark, 30)
	for i := range many {
		many[i] = evidence.Mark{At: end.Add(-time.Duration(i) * time.Second), Label: "Impact began"}
	}
	for _, tt := range []struct {
		name    string
		picture evidence.Picture
	}{
		{"one value", evidence.Picture{Lines: flat(5)}},
		{"all zero", evidence.Picture{Lines: flat(0, 0, 0)}},
		{"all alike", evidence.Picture{Lines: flat(7, 7, 7)}},
		{"negative", evidence.Picture{Lines: flat(-3, -2, -3)}},
		{"tiny", evidence.Picture{Lines: flat(1e-12, 2e-12)}},
		{"huge", evidence.Picture{Lines: flat(1e18, 2e18)}},
		{"nothing", evidence.Picture{}},
		{"hostile words", evidence.Picture{
			Title: strings.Repeat("\u202e👩‍🚒\n\x00{}", 400), Left: strings.Repeat("x", 500),
			Lines: []evidence.Line{{Name: strings.Repeat("名前", 300), Pieces: flat(1, 2)[0].Pieces}},
		}},
		{"thirty marks at once", evidence.Picture{Lines: flat(1, 2), Marks: many}},
	} {
		for _, span := range []time.Duration{time.Minute, 3 * time.Hour, 31 * 24 * time.Hour} {
			tt.picture.Start, tt.picture.End, tt.picture.Zone = end.Add(-span), end, zone
			data, err := tt.picture.PNG()
			if err != nil {
				t.Fatalf("%s over %s: %v", tt.name, span, err)
			}
			drawn, err := png.Decode(bytes.NewReader(data))
			if err != nil || blank(drawn) {
				t.Errorf("%s over %s: the picture is blank, or none: %v", tt.name, span, err)
			}
		}
	}
}

// blank reports a picture of one colour.
func blank(m image.Image) bool {
	first := m.At(0, 0)
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if m.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// TestDrawIsBounded has a Prometheus that never answers: whoever asks is told.
func TestDrawIsBounded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var kept []byte
	_, err := drawer(time.Now(), &kept, client(t, server.URL)).Draw(ctx, incidents.Incident{Number: 1}, incidents.ChartWanted{Expr: "up"})
	if incidents.KindOf(err) != incidents.Unavailable {
		t.Errorf("Draw = %v, want that Prometheus does not answer", err)
	}
}
