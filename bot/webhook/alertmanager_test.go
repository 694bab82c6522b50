package webhook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/webhook"
	"github.com/houston-sre/houston/incidents"
)

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, body, want string }{
		{"empty", ``, "the body is empty"},
		{"white space", " \n", "the body is empty"},
		{"list", `[]`, "no JSON object"},
		{"null", `null`, "no JSON object"},
		{"string", `"alerts"`, "no JSON object"},
		{"cut off", `{"alerts":[`, "no valid JSON"},
		{"two documents", `{"alerts":[{}]}{"alerts":[{}]}`, "no valid JSON"},
		{"control character", "{\"alerts\":[{\"labels\":{\"a\":\"\n\"}}]}", "no valid JSON"},
		{"alerts missing", `{}`, "alerts is missing"},
		{"alerts null", `{"alerts":null}`, "alerts is empty"},
		{"alerts empty", `{"alerts":[]}`, "alerts is empty"},
		{"alerts object", `{"alerts":{}}`, "alerts is no list"},
		{"alerts string", `{"alerts":"firing"}`, "alerts is no list"},
		{"alert is a string", `{"alerts":[{},"x"]}`, "alerts[1] is no object"},
		{"alert is null", `{"alerts":[null]}`, "alerts[0] is no object"},
		{"labels list", `{"alerts":[{"labels":["a"]}]}`, "alerts[0].labels is no object"},
		{"label number", `{"alerts":[{"labels":{"port":80}}]}`, "alerts[0].labels holds something that is no string"},
		{"label null", `{"alerts":[{"labels":{"port":null}}]}`, "alerts[0].labels holds something that is no string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := webhook.DecodeAlertmanager([]byte(tt.body), "default", now())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func decodeOne(t *testing.T, body string) incidents.Alert {
	t.Helper()
	d, err := webhook.DecodeAlertmanager([]byte(body), "default", now())
	if err != nil {
		t.Fatalf("decode %s: %v", body, err)
	}
	return d.Alerts[0]
}

func TestWhoSaysThatAnAlertFires(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, top, own, ends string
		firing               bool
	}{
		{"own firing wins", "resolved", "firing", "", true},
		{"own resolved wins", "firing", "resolved", "", false},
		{"own firing wins over an end", "firing", "firing", "2020-01-01T00:00:00Z", true},
		{"capitals", "", "Resolved", "", false},
		{"top level speaks for a silent alert", "resolved", "", "", false},
		{"top level against an end", "firing", "", "2020-01-01T00:00:00Z", true},
		{"nobody says", "", "", "", true},
		{"an end in the past", "", "", "2020-01-01T00:00:00Z", false},
		{"an end in the future", "", "", "2030-01-01T00:00:00Z", true},
		{"no end", "", "", "0001-01-01T00:00:00Z", true},
		{"words of others", "ok", "alerting", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := decodeOne(t, fmt.Sprintf(`{"status":%q,"alerts":[{"status":%q,"endsAt":%q}]}`, tt.top, tt.own, tt.ends))
			if a.Firing != tt.firing {
				t.Errorf("got firing %v, want %v", a.Firing, tt.firing)
			}
			if a.Firing && !a.EndsAt.IsZero() {
				t.Errorf("got an end %s of a firing alert, want none", a.EndsAt)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		parsed, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return parsed.UTC()
	}
	for _, tt := range []struct {
		raw  string
		want time.Time
	}{
		{`"2026-11-30T00:01:45.581025824Z"`, at("2026-11-30T00:01:45.581025824Z")},
		{`"2016-08-01T13:27:08.008+03:00"`, at("2016-08-01T10:27:08.008Z")},
		{`"2026-05-27 15:36:00.112013015 +0000 UTC m=+8560.28"`, at("2026-05-27T15:36:00.112013015Z")},
		{`"2026-05-27 15:36:00 +0200 CEST"`, at("2026-05-27T13:36:00Z")},
		{`"1970-01-01T00:00:00Z"`, at("1970-01-01T00:00:00Z")},
		{`1780000000`, time.Unix(1780000000, 0).UTC()},
		{`1780000000123`, time.UnixMilli(1780000000123).UTC()},
		{`"0001-01-01T00:00:00Z"`, time.Time{}},
		{`"0001-01-01T00:00:00+01:00"`, time.Time{}},
		{`"0001-01-01 00:00:00 +0000 UTC"`, time.Time{}},
		{`9223372036854775807`, time.Time{}},
		{`""`, time.Time{}},
		{`null`, time.Time{}},
		{`{}`, time.Time{}},
		{`"yesterday"`, time.Time{}},
	} {
		t.Run(tt.raw, func(t *testing.T) {
			t.Parallel()
			a := decodeOne(t, `{"alerts":[{"startsAt":`+tt.raw+`}]}`)
			if !a.StartsAt.Equal(tt.want) || a.StartsAt.Location() != time.UTC {
				t.Errorf("got %s, want %s", a.StartsAt, tt.want)
			}
		})
	}
}

func TestOddFieldsAreTolerated(t *testing.T) {
	t.Parallel()
	body := "\xEF\xBB\xBF" + `{"version":4,"receiver":7,"status":{},"truncatedAlerts":"12","groupLabels":{"a":1},"groupKey":18446744073709551616,
		"unknown":[1],"alerts":[{"status":null,"labels":{"alertname":"A\u0000B"},"annotations":{"n":1.50,"list":[1, 2],"null":null,"text":"t"},
		"generatorURL":["x"],"fingerprint":123,"extra":{}},{"labels":null,"annotations":"none","fingerprint":"` + strings.Repeat("f", 129) + `"}]}` + "\n"
	got, err := webhook.DecodeAlertmanager([]byte(body), "berlin", now())
	if err != nil {
		t.Fatal(err)
	}
	got.Body = nil
	want := incidents.Delivery{
		Source: "berlin", Receiver: "7", GroupKey: "18446744073709551616", Labels: map[string]string{"a": "1"}, Truncated: 12, ReceivedAt: now(),
		Alerts: []incidents.Alert{
			{
				Fingerprint: "123", Firing: true, Labels: map[string]string{"alertname": "AB"}, URL: `["x"]`,
				Annotations: map[string]string{"n": "1.50", "list": "[1,2]", "null": "", "text": "t"},
			},
			{Firing: true, Labels: map[string]string{}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("delivery (-want +got):\n%s", diff)
	}
}

func TestGroupKeyIsMadeWhereMissing(t *testing.T) {
	t.Parallel()
	const alerts = `"alerts":[{"labels":{"alertname":"A","i":"1"}},{"labels":{"alertname":"A","i":"2"}}]`
	for _, tt := range []struct{ name, body, want string }{
		{"as sent", `{"groupKey":"{}:{a=\"b\"}",` + alerts + `}`, `{}:{a="b"}`},
		{"number", `{"groupKey":43434343434343434343,` + alerts + `}`, "43434343434343434343"},
		{"group labels", `{"groupLabels":{"b":"2","a":"1"},` + alerts + `}`, `labels:{"a":"1","b":"2"}`},
		{"the number 0", `{"groupKey":0,"groupLabels":{"a":"1"},` + alerts + `}`, `labels:{"a":"1"}`},
		{"one group of everything", `{"groupLabels":{},` + alerts + `}`, "labels:{}"},
		{"the name", `{` + alerts + `}`, `labels:{"alertname":"A"}`},
		{"several names", `{"alerts":[{"labels":{"alertname":"A"}},{"labels":{"alertname":"B"}}]}`, "labels:null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := webhook.DecodeAlertmanager([]byte(tt.body), "default", now())
			if err != nil {
				t.Fatal(err)
			}
			if d.GroupKey != tt.want {
				t.Errorf("got group key %q, want %q", d.GroupKey, tt.want)
			}
		})
	}
}

// FuzzDecodeAlertmanager: whatever arrives is refused in a short sentence or
// becomes alerts that both databases can hold.
func FuzzDecodeAlertmanager(f *testing.F) {
	f.Add([]byte(one))
	f.Add([]byte(`{"groupKey":0,"status":"resolved","alerts":[{"labels":{"a":"\u0000"},"startsAt":"2026-05-27 15:36:00 +0000 UTC m=+1"}]}`))
	f.Add([]byte(`{"alerts":[{"labels":{"a":1}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := webhook.DecodeAlertmanager(body, "default", now())
		if err != nil {
			if len(err.Error()) > 300 {
				t.Errorf("got a message of %d characters, want a short one", len(err.Error()))
			}
			return
		}
		if len(d.Alerts) == 0 {
			t.Error("got no alerts and no error")
		}
		texts := []string{d.GroupKey, d.Receiver}
		for _, a := range d.Alerts {
			texts = append(texts, a.Fingerprint, a.URL)
			for k, v := range a.Labels {
				texts = append(texts, k, v)
			}
			for k, v := range a.Annotations {
				texts = append(texts, k, v)
			}
			if a.Labels == nil || (a.Firing && !a.EndsAt.IsZero()) || a.StartsAt.Year() > 9999 {
				t.Errorf("got an odd alert %+v", a)
			}
		}
		if i := strings.IndexByte(strings.Join(texts, ""), 0); i >= 0 {
			t.Error("got a NUL, which PostgreSQL refuses")
		}
	})
}
