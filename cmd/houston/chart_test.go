package main

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/postmortem/evidence/promtest"
)

// metrics is a Prometheus that has seen offers become slow half an hour ago.
func metrics(t *testing.T) *promtest.Server {
	t.Helper()
	now := time.Now()
	var samples []promtest.Sample
	for at := now.Add(-2 * time.Hour); !at.After(now); at = at.Add(15 * time.Second) {
		value := 0.3
		if at.After(now.Add(-30 * time.Minute)) {
			value = 60
		}
		samples = append(samples, promtest.Sample{Name: "p99_seconds", Labels: map[string]string{"service": "offers"}, At: at, Value: value})
	}
	return promtest.Start(t, samples...)
}

// pictures lists the charts in a channel by their files' names.
func (h *house) pictures(channel string) []sandbox.FileInfo {
	var found []sandbox.FileInfo
	for _, m := range h.slack.Messages(channel) {
		for _, id := range m.Files {
			if info, ok := h.slack.FileInfo(id); ok && strings.HasSuffix(info.Name, ".png") {
				found = append(found, info)
			}
		}
	}
	return found
}

// charted checks what became of a chart: in the answer, or soon after it where the
// machine was too busy for that.
func (h *house) charted(user, channel, answer, want string) {
	h.t.Helper()
	switch {
	case strings.Contains(answer, want):
	case strings.Contains(answer, "takes its time"):
		h.whispered(user, channel, want)
	default:
		h.t.Errorf("a chart was answered %q, want %q", answer, want)
	}
}

// TestChart draws charts of a real Prometheus: into the channel once however
// often the command is delivered, into the timeline with its picture, and into
// nothing where the query is no good, which only the one who asked is told.
func TestChart(t *testing.T) {
	t.Parallel()
	prom := metrics(t)
	eachPlan(t, func(t *testing.T, p plan) {
		p.args = []string{"--config", writeConfig(t, "prometheus: {name: berlin, url: '"+prom.URL()+"'}\n")}
		h := newHouse(t, p)
		channel := h.declared("Offers are slow --severity sev2").ID
		for text, want := range map[string]string{
			"chart sum(":                           "does not understand the query",
			"chart nothing_like_it":                "has no data for this query",
			"chart p99_seconds --prometheus paris": "Name one of berlin",
		} {
			h.charted(ben, channel, h.say(ben, channel, text), want)
		}
		for _, user := range []string{ben, guest} {
			h.slack.Join(user, channel)
		}
		if answer := h.say(guest, channel, "chart p99_seconds"); !strings.Contains(answer, "As a guest") {
			t.Errorf("a guest's chart was answered %q", answer)
		}
		reply, err := h.slack.Command(t.Context(), sandbox.Command{User: ben, Channel: channel, Command: "/incident", Text: "chart `p99_seconds{service=\"offers\"}` 1h"})
		if err != nil {
			t.Fatal(err)
		}
		h.charted(ben, channel, reply.Text, "The chart is drawn")
		if _, err := reply.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.until("the picture is in the channel", func() bool { return len(h.pictures(channel)) > 0 })
		picture := h.pictures(channel)[0]
		data, _ := h.slack.File(picture.ID)
		if config, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || config.Width < 800 {
			t.Errorf("the picture is %+v, %v", config, err)
		}
		if !strings.HasPrefix(picture.Name, "INC-1-chart-") || picture.Title != `p99_seconds{service="offers"}` {
			t.Errorf("the picture is called %q, %q", picture.Name, picture.Title)
		}
		h.finds(channel, "Chart of p99_seconds", "<@"+ben+">")
		var timeline struct {
			Entries []struct {
				Kind, Text string
				Actor      struct{ ID string }
				Files      []struct{ URL, State, Type string }
			}
		}
		h.api("/incidents/INC-1/timeline", &timeline)
		charts := 0
		for _, entry := range timeline.Entries {
			if entry.Kind != "evidence" || len(entry.Files) != 1 {
				continue
			}
			charts++
			file := entry.Files[0]
			if entry.Actor.ID != ben || !strings.HasPrefix(entry.Text, `Chart of p99_seconds{service="offers"} (`) || file.State != "stored" {
				t.Errorf("the entry is %+v", entry)
			}
			status, raw := h.call(http.MethodGet, file.URL, "", map[string]string{"Authorization": "Bearer " + apiToken})
			if status != http.StatusOK || !bytes.Equal(raw, data) {
				t.Errorf("the stored picture answers %d with %d bytes, the one in the channel has %d", status, len(raw), len(data))
			}
		}
		if n := len(h.pictures(channel)); charts != 1 || n != 1 {
			t.Errorf("%d entries and %d pictures after one command that came twice", charts, n)
		}
		h.say(anna, channel, "export")
		if text := h.file(channel, ".md"); !strings.Contains(text, "| Chart of p99") {
			t.Errorf("the postmortem does not name the chart:\n%s", text)
		}
		private := h.declared("A leak --private").ID
		if answer := h.say(ben, announced, "chart INC-2 p99_seconds"); !strings.Contains(answer, "There is no INC-2") {
			t.Errorf("a chart of a private incident was answered %q to somebody outside", answer)
		}
		h.charted(anna, private, h.say(anna, private, "chart p99_seconds"), "The chart is drawn")
		h.until("the private picture is in its channel", func() bool { return len(h.pictures(private)) == 1 })
	})
}

// TestChartWaitsForNobody has a Prometheus that is slow, then one that is gone:
// the answer comes in time, and what became of the chart follows it.
func TestChartWaitsForNobody(t *testing.T) {
	t.Parallel()
	inEachSlow := func(t *testing.T, p plan) {
		gate := make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-gate
			now := time.Now().Unix()
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[%d,"1"],[%d,"2"]]}]}}`, now-60, now-30)
		}))
		t.Cleanup(slow.Close)
		p.args = []string{"--config", writeConfig(t, "prometheus: {url: '"+slow.URL+"'}\n")}
		h := newHouse(t, p)
		channel := h.declared("Offers are slow").ID
		began := time.Now()
		reply, err := h.slack.Command(t.Context(), sandbox.Command{User: ben, Channel: channel, Command: "/incident", Text: "chart up"})
		if took := time.Since(began); err != nil || !strings.Contains(reply.Text, "takes its time") || took > 3*time.Second {
			t.Errorf("answered %q after %s, %v", reply.Text, took, err)
		}
		close(gate)
		h.whispered(ben, channel, "The chart is drawn")
		h.until("the picture is in the channel", func() bool { return len(h.pictures(channel)) == 1 })
		slow.Close()
		h.charted(ben, channel, h.say(ben, channel, "chart up"), "does not answer")
	}
	eachPlan(t, inEachSlow)
}

// TestChartSurvivesALostAnswer has the answer to the upload lost: the picture is
// found again by its name.
func TestChartSurvivesALostAnswer(t *testing.T) {
	t.Parallel()
	prom := metrics(t)
	h := newHouse(t, plan{args: []string{"--config", writeConfig(t, "prometheus: {url: '"+prom.URL()+"'}\n")}})
	channel := h.declared("Offers are slow").ID
	h.slack.Inject(sandbox.Fault{Method: "files.completeUploadExternal", Times: 1, Kind: sandbox.FaultDropAfter{}})
	h.say(ben, channel, "chart p99_seconds")
	h.until("the lost picture is found", func() bool {
		for line := range strings.SplitSeq(h.log.String(), "\n") {
			if strings.Contains(line, "found the effect of an earlier call") && strings.Contains(line, "/chart/") {
				return true
			}
		}
		return false
	})
	if n := len(h.pictures(channel)); n != 1 {
		t.Errorf("%d pictures, want one", n)
	}
}
