package webhook

import (
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// cloudEvent is one event by CloudEvents 1.0: its data and those of its attributes
// that are read.
type cloudEvent struct {
	ID, Source, Type string
	Time             time.Time
	Data             []byte
}

// decodeCloudEvents reads the events of a request by the HTTP binding: one in
// binary mode (attributes in ce- headers, the data is the body), one in structured
// mode (application/cloudevents+json), or a batch
// (application/cloudevents-batch+json), which may be empty. What is none of these
// is the data of one event without attributes, for senders that know nothing of
// CloudEvents. Other formats than JSON are refused with 415.
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
func decodeCloudEvents(r request) ([]cloudEvent, error) {
	format, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	switch {
	case err != nil || !strings.HasPrefix(format, "application/cloudevents"):
		return decodeCloudEvent(r)
	case format == "application/cloudevents+json":
		event, structured, err := decodeStructured(r.body)
		if err == nil && !structured {
			err = malformed("specversion is missing")
		}
		return []cloudEvent{event}, err
	case format == "application/cloudevents-batch+json":
		return decodeBatch(r.body)
	default:
		return nil, refuse(http.StatusUnsupportedMediaType, "CloudEvents come as JSON: application/cloudevents+json, or -batch+json.")
	}
}

// decodeCloudEvent reads an event of another media type: in binary mode, or, from
// senders that name the wrong one, in structured mode.
func decodeCloudEvent(r request) ([]cloudEvent, error) {
	version := r.header.Get("Ce-Specversion")
	if version == "" {
		event, structured, err := decodeStructured(r.body)
		if !structured {
			event.Data = r.body
		}
		return []cloudEvent{event}, err
	}
	if !knownVersion(version) {
		return nil, malformed("ce-specversion %.10q is not known; it is 1.0", version)
	}
	event := cloudEvent{
		ID: attribute(r.header, "Ce-Id"), Source: attribute(r.header, "Ce-Source"), Type: attribute(r.header, "Ce-Type"), Data: r.body,
	}
	event.Time, _ = time.Parse(time.RFC3339, attribute(r.header, "Ce-Time")) // it is optional
	return []cloudEvent{event}, nil
}

// attribute reads a header of an attribute, which is percent-encoded.
func attribute(header http.Header, name string) string {
	value := header.Get(name)
	if decoded, err := url.PathUnescape(value); err == nil {
		value = decoded
	}
	return clean(value)
}

func knownVersion(version string) bool { return version == "0.3" || strings.HasPrefix(version, "1.") }

// decodeStructured reads an object. structured is false when it is no CloudEvent.
func decodeStructured(body []byte) (event cloudEvent, structured bool, err error) {
	var envelope struct {
		SpecVersion text            `json:"specversion"`
		ID          text            `json:"id"`
		Source      text            `json:"source"`
		Type        text            `json:"type"`
		Time        moment          `json:"time"`
		Data        json.RawMessage `json:"data"`
		Base64      text            `json:"data_base64"`
	}
	if err := decodeObject(body, &envelope); err != nil {
		return cloudEvent{}, false, err
	}
	switch {
	case envelope.SpecVersion == "":
		return cloudEvent{}, false, nil
	case !knownVersion(string(envelope.SpecVersion)):
		return cloudEvent{}, true, malformed("specversion %.10q is not known; it is 1.0", envelope.SpecVersion)
	}
	event = cloudEvent{
		ID: string(envelope.ID), Source: string(envelope.Source), Type: string(envelope.Type), Time: envelope.Time.Time, Data: envelope.Data,
	}
	if envelope.Base64 != "" {
		if event.Data, err = base64.StdEncoding.DecodeString(string(envelope.Base64)); err != nil {
			return cloudEvent{}, true, malformed("data_base64 is no base64")
		}
	}
	return event, true, nil
}

func decodeBatch(body []byte) ([]cloudEvent, error) {
	var raws []json.RawMessage
	if json.Unmarshal(body, &raws) != nil || raws == nil {
		return nil, malformed("the body is no JSON list of events")
	}
	events := make([]cloudEvent, 0, len(raws))
	for i, raw := range raws {
		event, structured, err := decodeStructured(raw)
		if err == nil && !structured {
			err = malformed("specversion is missing")
		}
		if err != nil {
			return nil, within(i, err)
		}
		events = append(events, event)
	}
	return events, nil
}
