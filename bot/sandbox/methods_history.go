package sandbox

import "slices"

func historyMethods() map[string]*method {
	scopes := []string{"channels:history", "groups:history", "im:history", "mpim:history"}
	return map[string]*method{
		"conversations.history": {json: true, scopes: scopes, required: []string{"channel"},
			errors: []string{"channel_not_found", "invalid_cursor", "invalid_ts_latest", "invalid_ts_oldest", "not_in_channel"}, run: history},
		"conversations.replies": {scopes: scopes, required: []string{"channel", "ts"},
			errors: []string{"channel_not_found", "invalid_cursor", "invalid_ts_latest", "invalid_ts_oldest", "thread_not_found"}, run: replies},
	}
}

// span is the part of a channel that latest, oldest and inclusive ask for.
type span struct {
	oldest, latest int64
	inclusive      bool
}

func (c *call) span() (span, error) {
	s := span{latest: 1 << 62, inclusive: c.args.bool("inclusive")}
	var ok bool
	if ts := c.args["latest"]; ts != "" && ts != "now" {
		if s.latest, ok = bound(ts); !ok {
			return s, fail("invalid_ts_latest")
		}
	}
	if ts := c.args["oldest"]; ts != "" && ts != "0" {
		if s.oldest, ok = bound(ts); !ok {
			return s, fail("invalid_ts_oldest")
		}
	}
	return s, nil
}

// bound reads a timestamp or, as Slack allows here, whole seconds.
func bound(ts string) (int64, bool) {
	if n, ok := parseTS(ts); ok {
		return n, true
	}
	return parseTS(ts + ".000000")
}

func (s span) holds(m *Message) bool {
	n, _ := parseTS(m.TS)
	if s.inclusive {
		return n >= s.oldest && n <= s.latest
	}
	return n > s.oldest && n < s.latest
}

// history shows a channel's messages, newest first, without thread replies. The
// bot must be a member; an archived channel has no bots in it.
func history(c *call) (object, error) {
	ch, err := c.visible("channel", historyScope)
	if err != nil {
		return nil, err
	}
	if !ch.has(c.st.botUser) {
		return nil, fail("not_in_channel")
	}
	sp, err := c.span()
	if err != nil {
		return nil, err
	}
	if cursor := c.args["cursor"]; cursor != "" { // by timestamp: new messages do not shift pages
		ts, ok := readCursor(cursor, "next_ts")
		n, isTS := parseTS(ts)
		if !ok || !isTS {
			return nil, fail("invalid_cursor")
		}
		sp.latest, sp.inclusive = min(sp.latest, n), false
	}
	limit, ok := c.args.limit(100)
	if !ok {
		return nil, invalidArguments("must be a number [json-pointer:/limit]")
	}
	limit = c.w.pageLimit(min(limit, 999))
	out, next, list := object{"has_more": false, "pin_count": len(ch.pins)}, "", []object{}
	for _, m := range slices.Backward(ch.messages) {
		if !sp.holds(m) || m.reply() && !m.Broadcast {
			continue
		}
		if len(list) == limit {
			out["has_more"] = true
			next, _ = list[limit-1]["ts"].(string)
			out["response_metadata"] = object{"next_cursor": makeCursor("next_ts", next)}
			break
		}
		list = append(list, c.st.messageWire(ch, m, c.args.bool("include_all_metadata")))
	}
	out["messages"] = list
	return out, nil
}

// replies shows a thread, its parent first. Any message of the thread names it.
func replies(c *call) (object, error) {
	ch, err := c.visible("channel", historyScope)
	if err != nil {
		return nil, err
	}
	if !ch.has(c.st.botUser) {
		return nil, fail("channel_not_found") // the page lists no not_in_channel
	}
	sp, err := c.span()
	if err != nil {
		return nil, err
	}
	m := ch.message(c.args["ts"])
	if m == nil {
		return nil, fail("thread_not_found")
	}
	parent := m
	if m.reply() {
		if parent = ch.message(m.ThreadTS); parent == nil {
			return nil, fail("thread_not_found")
		}
	}
	limit, ok := c.args.limit(1000)
	if !ok || limit > 1000 {
		return nil, invalidArguments("must be between 1 and 1000 [json-pointer:/limit]")
	}
	list := []object{c.st.messageWire(ch, parent, c.args.bool("include_all_metadata"))}
	for _, r := range ch.replies(parent.TS) {
		if sp.holds(r) {
			list = append(list, c.st.messageWire(ch, r, c.args.bool("include_all_metadata")))
		}
	}
	page, next, err := paged(c, list, limit)
	if err != nil {
		return nil, err
	}
	return object{"messages": page, "has_more": next != "", "response_metadata": object{"next_cursor": next}}, nil
}
