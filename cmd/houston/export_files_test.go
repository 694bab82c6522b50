package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// upload shares a file as anna and marks its message.
func (h *house) upload(channel, name, emoji string, data []byte) {
	h.t.Helper()
	posted, err := h.slack.Upload(h.t.Context(), sandbox.Upload{User: anna, Channel: channel, Name: name, Data: data})
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.slack.React(h.t.Context(), anna, channel, posted.TS, emoji); err != nil {
		h.t.Fatal(err)
	}
}

// TestExportHoldsTheImages: what people attached is in every form of the
// document, whichever way it is asked for, and in no public version.
func TestExportHoldsTheImages(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_DATA_DIR": t.TempDir()}
		h := newHouse(t, p)
		channel := h.declared("Offers answer 500").ID
		graph, secret := []byte("\x89PNG\r\n\x1a\ngraph"), []byte("\x89PNG\r\n\x1a\nsecret")
		h.upload(channel, "p99 | <b>.png", "chart_with_upwards_trend", graph)
		h.upload(channel, "customers.png", "lock", secret)
		h.until("both files are stored", func() bool {
			files := h.files("INC-1")
			return len(files) == 2 && files[0].State == "stored" && files[1].State == "stored"
		})
		sum := sha256.Sum256(graph)
		digest := hex.EncodeToString(sum[:])
		inlined := func(data []byte) string { return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data) }

		token := map[string]string{"Authorization": "Bearer " + apiToken}
		ask := func(path string) string {
			status, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/postmortem"+path, "", token)
			if status != http.StatusOK {
				t.Fatalf("%s: got %d %s", path, status, raw)
			}
			return string(raw)
		}
		page := ask(".html")
		if !strings.Contains(page, inlined(graph)) || !strings.Contains(page, inlined(secret)) {
			t.Error("the page does not hold the images")
		}
		if json := ask(""); !strings.Contains(json, `"digest":"`+digest+`"`) {
			t.Errorf("the JSON does not name the digest %s: %s", digest, json)
		}
		if text := ask(".md"); !strings.Contains(text, `(files/p99----b.png "image/png, `) || !strings.Contains(text, "sha256 "+digest) {
			t.Errorf("the Markdown does not show the image:\n%s", text)
		}
		if public := ask(".html?version=public"); strings.Contains(public, "data:image") || strings.Contains(public, "customers.png") {
			t.Error("the public version has an image")
		}
		for who, bundle := range map[string]string{"API": ask(".zip"), "command": h.exported("--format", "zip")} {
			if held := unzipped(t, []byte(bundle)); !bytes.Equal(held["files/p99----b.png"], graph) || !bytes.Equal(held["files/customers.png"], secret) || len(held["INC-1-postmortem.md"]) == 0 {
				t.Errorf("the bundle of the %s does not hold the images", who)
			}
		}
		if !strings.Contains(h.exported("--format", "html"), inlined(graph)) {
			t.Error("the command's page does not hold the image")
		}
		h.say(anna, channel, "export html")
		h.until("the page in the channel holds the image", func() bool { return strings.Contains(h.anyFile(channel), inlined(graph)) })

		status, raw := h.write("PATCH", "/incidents/INC-1/postmortem", `{"evidence_items":[{"text":"theirs","url":"","at":null,"file":{"id":"F1","name":"a.png","type":"image/png","size":1,"digest":"`+digest+`","failed":""}}]}`)
		if status/100 != 4 || !strings.Contains(raw, "A file comes from the incident's channel") {
			t.Errorf("a file that somebody names by its digest is taken: %d %s", status, raw)
		}
	})
}

// exported is what "houston export INC-1" prints.
func (h *house) exported(args ...string) string {
	h.t.Helper()
	code, document, errs := houston(h.t, h.env, append([]string{"export", "INC-1"}, args...)...)
	if code != 0 {
		h.t.Fatalf("export %v ended with %d: %s", args, code, errs)
	}
	return document
}

func unzipped(t *testing.T, raw []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	held := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if held[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return held
}
