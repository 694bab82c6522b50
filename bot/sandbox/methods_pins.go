package sandbox

import "slices"

// Pin is a pinned message.
type Pin struct {
	TS      string
	By      string
	Created int64 // Unix seconds
}

func pinMethods() map[string]*method {
	return map[string]*method{
		"pins.add": {
			json: true, scopes: []string{"pins:write"}, required: []string{"channel"},
			errors: []string{"already_pinned", "bad_timestamp", "channel_not_found", "message_not_found", "no_item_specified", "not_in_channel", "not_pinnable", "too_many_pins"}, run: pinAdd,
		},
		"pins.remove": {
			json: true, scopes: []string{"pins:write"}, required: []string{"channel"},
			errors: []string{"bad_timestamp", "channel_not_found", "message_not_found", "no_item_specified", "no_pin"}, run: pinRemove,
		},
		"pins.list": {scopes: []string{"pins:read"}, required: []string{"channel"}, errors: []string{"channel_not_found"}, run: pinList},
	}
}

// item finds the message that channel and timestamp name. Missing timestamps
// and malformed ones are told apart.
func (c *call) item() (*channel, *Message, error) {
	ch, err := c.visible("channel", noScope)
	if err != nil {
		return nil, nil, err
	}
	ts := c.args["timestamp"]
	if ts == "" {
		return ch, nil, fail("no_item_specified")
	}
	if _, ok := parseTS(ts); !ok {
		return ch, nil, fail("bad_timestamp")
	}
	m := ch.message(ts)
	if m == nil {
		return ch, nil, fail("message_not_found")
	}
	return ch, m, nil
}

func pinAdd(c *call) (object, error) {
	ch, err := c.visible("channel", noScope)
	if err != nil {
		return nil, err
	}
	if !ch.has(c.st.botUser) {
		return nil, fail("not_in_channel")
	}
	ch, m, err := c.item()
	switch {
	case err != nil:
		return nil, err
	case m.Notice():
		return nil, fail("not_pinnable")
	case m.Pinned:
		return nil, fail("already_pinned")
	case len(ch.pins) >= 100:
		return nil, fail("too_many_pins")
	}
	m.Pinned = true
	p := Pin{TS: m.TS, By: c.st.botUser, Created: c.st.now().Unix()}
	ch.pins = append(ch.pins, p)
	c.w.emitPin("pin_added", ch, m, p)
	return nil, nil
}

func pinRemove(c *call) (object, error) {
	ch, m, err := c.item()
	if err != nil {
		return nil, err
	}
	if !m.Pinned {
		return nil, fail("no_pin")
	}
	m.Pinned = false
	at := slices.IndexFunc(ch.pins, func(p Pin) bool { return p.TS == m.TS })
	p := ch.pins[at]
	ch.pins = slices.Delete(ch.pins, at, at+1)
	c.w.emitPin("pin_removed", ch, m, p)
	return nil, nil
}

func pinList(c *call) (object, error) {
	ch, err := c.visible("channel", noScope)
	if err != nil {
		return nil, err
	}
	items := []object{}
	for _, p := range slices.Backward(ch.pins) {
		items = append(items, c.w.pinWire(ch, ch.message(p.TS), p))
	}
	return object{"items": items}, nil
}

func (w *Workspace) pinWire(ch *channel, m *Message, p Pin) object {
	return object{"type": "message", "created": p.Created, "created_by": p.By, "channel": ch.ID, "message": w.st.messageWire(ch, m, false)}
}

func (w *Workspace) emitPin(event string, ch *channel, m *Message, p Pin) {
	o := object{
		"type": event, "user": p.By, "channel_id": ch.ID, "item": w.pinWire(ch, m, p), "item_user": m.User, "pin_count": len(ch.pins),
		"pinned_info": object{"channel": ch.ID, "pinned_by": p.By, "pinned_ts": p.Created}, "event_ts": formatTS(w.st.now().UnixMicro()),
	}
	if event == "pin_removed" {
		o["has_pins"] = len(ch.pins) > 0
	}
	w.emitIn(ch, o)
}
