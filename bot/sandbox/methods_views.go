package sandbox

import (
	"encoding/json"
	"fmt"
	"time"
)

const (
	maxView  = 250_000 // bytes of a view
	maxStack = 3       // views over one another
)

func viewMethods() map[string]*method {
	trigger := []string{"duplicate_external_id", "exchanged_trigger_id", "expired_trigger_id", "invalid_trigger_id", "view_too_large"}
	return map[string]*method{
		"views.open":    {json: true, required: []string{"view"}, errors: trigger, run: viewOpen},
		"views.push":    {json: true, required: []string{"view"}, errors: append([]string{"not_found", "push_limit_reached"}, trigger...), run: viewPush},
		"views.update":  {json: true, required: []string{"view"}, errors: []string{"duplicate_external_id", "hash_conflict", "not_found", "view_too_large"}, run: viewUpdate},
		"views.publish": {json: true, required: []string{"user_id", "view"}, errors: []string{"duplicate_external_id", "hash_conflict", "view_too_large"}, run: viewPublish},
	}
}

// Modal is a modal or a home tab as Slack keeps it.
type Modal struct {
	ID, Type, User, CallbackID, ExternalID, Hash, PrivateMetadata string

	Title  string
	Blocks json.RawMessage
	Errors map[string]string // by block_id, after a refused submission
	Open   bool
}

// modal is a Modal with what Slack needs to show and submit it.
type modal struct {
	Modal
	body           map[string]any // the view as sent
	root, previous string
	seq            int
	held           held // what the user has chosen in it so far
}

// trigger is what a person did; it opens one view within three seconds.
type trigger struct {
	user    string
	view    string // the modal it was done in, for views.push
	expires time.Time
	used    bool
}

func (s *state) newTrigger(user, view string) string {
	s.ids['!']++
	id := fmt.Sprintf("%d.%d.%s", 1_000_000+s.ids['!'], 2_000_000, secret(16))
	s.triggers[id] = &trigger{user: user, view: view, expires: s.now().Add(3 * time.Second)}
	return id
}

// exchange uses a trigger up.
func (c *call) exchange() (*trigger, error) {
	id := c.args["trigger_id"]
	if id == "" {
		id = c.args["interactivity_pointer"]
	}
	t := c.st.triggers[id]
	switch {
	case id == "":
		return nil, invalidArguments("missing required field: trigger_id")
	case t == nil:
		return nil, fail("invalid_trigger_id")
	case t.used:
		return nil, fail("exchanged_trigger_id")
	case c.st.now().After(t.expires):
		return nil, fail("expired_trigger_id")
	}
	t.used = true
	return t, nil
}

// readView reads and checks the view argument. Slack reports problems in a view
// as invalid_arguments.
func (c *call) readView(kind string) (map[string]any, error) {
	raw := c.args["view"]
	if len(raw) > maxView {
		return nil, fail("view_too_large")
	}
	var body map[string]any
	if json.Unmarshal([]byte(raw), &body) != nil {
		return nil, invalidArguments("must provide an object [json-pointer:/view]")
	}
	if problems := ValidateView(body); len(problems) > 0 {
		return nil, failWith("invalid_arguments", problems...)
	}
	if body["type"] != kind {
		return nil, invalidArguments("must be of type %s [json-pointer:/view/type]", kind)
	}
	return body, nil
}

// place stores a view under an ID, which stays the same over updates; the hash
// changes each time.
func (s *state) place(v *modal, body map[string]any) error {
	external, _ := body["external_id"].(string)
	for _, other := range s.views {
		if external != "" && other.ID != v.ID && other.ExternalID == external && other.Open {
			return fail("duplicate_external_id")
		}
	}
	blocks, _ := body["blocks"].([]any)
	v.Blocks = store(s, blocks)
	v.body, v.seq, v.ExternalID, v.Errors, v.Open = body, v.seq+1, external, nil, true
	v.Type, _ = body["type"].(string)
	v.CallbackID, _ = body["callback_id"].(string)
	v.PrivateMetadata, _ = body["private_metadata"].(string)
	v.Title = textOf(body["title"])
	v.Hash = fmt.Sprintf("%d.%s", s.now().Unix(), secret(4))
	if v.ID == "" {
		v.ID = s.id('V')
	}
	if v.root == "" {
		v.root = v.ID
	}
	if v.held == nil {
		v.held = held{}
	}
	s.views[v.ID] = v
	return nil
}

func viewOpen(c *call) (object, error) {
	body, err := c.readView("modal")
	if err != nil {
		return nil, err
	}
	t, err := c.exchange()
	if err != nil {
		return nil, err
	}
	v := &modal{Modal: Modal{User: t.user}}
	if err := c.st.place(v, body); err != nil {
		return nil, err
	}
	return object{"view": c.st.viewWire(v, nil)}, nil
}

func viewPush(c *call) (object, error) {
	body, err := c.readView("modal")
	if err != nil {
		return nil, err
	}
	t, err := c.exchange()
	if err != nil {
		return nil, err
	}
	under := c.st.views[t.view]
	if under == nil || !under.Open {
		return nil, fail("not_found")
	}
	v, err := c.st.push(under, body)
	if err != nil {
		return nil, err
	}
	return object{"view": c.st.viewWire(v, nil)}, nil
}

func (s *state) push(under *modal, body map[string]any) (*modal, error) {
	depth := 1
	for p := under; p.previous != "" && s.views[p.previous] != nil; p = s.views[p.previous] {
		depth++
	}
	if depth >= maxStack {
		return nil, fail("push_limit_reached")
	}
	v := &modal{Modal: Modal{User: under.User}, root: under.root, previous: under.ID}
	return v, s.place(v, body)
}

func viewUpdate(c *call) (object, error) {
	v := c.st.views[c.args["view_id"]]
	for _, other := range c.st.views {
		if external := c.args["external_id"]; v == nil && external != "" && other.ExternalID == external {
			v = other
		}
	}
	if v == nil || !v.Open {
		return nil, fail("not_found")
	}
	body, err := c.readView(v.Type)
	if err != nil {
		return nil, err
	}
	if hash := c.args["hash"]; hash != "" && hash != v.Hash {
		return nil, fail("hash_conflict")
	}
	if err := c.st.place(v, body); err != nil {
		return nil, err
	}
	return object{"view": c.st.viewWire(v, nil)}, nil
}

func viewPublish(c *call) (object, error) {
	user := c.args["user_id"]
	if c.st.users[user] == nil {
		return nil, invalidArguments("invalid user [json-pointer:/user_id]")
	}
	body, err := c.readView("home")
	if err != nil {
		return nil, err
	}
	v := c.st.home(user)
	if v == nil {
		v = &modal{Modal: Modal{User: user}}
	}
	if hash := c.args["hash"]; hash != "" && hash != v.Hash {
		return nil, fail("hash_conflict")
	}
	if err := c.st.place(v, body); err != nil {
		return nil, err
	}
	return object{"view": c.st.viewWire(v, nil)}, nil
}

func (s *state) home(user string) *modal {
	for _, v := range s.views {
		if v.User == user && v.Type == "home" {
			return v
		}
	}
	return nil
}

// viewWire is the view object of answers and payloads.
func (s *state) viewWire(v *modal, values object) object {
	if values == nil {
		values = object{}
	}
	o := object{
		"id": v.ID, "team_id": s.teamID, "type": v.Type, "blocks": v.Blocks, "private_metadata": v.PrivateMetadata,
		"callback_id": v.CallbackID, "external_id": v.ExternalID, "state": object{"values": values}, "hash": v.Hash,
		"title": v.body["title"], "submit": v.body["submit"], "close": v.body["close"], "clear_on_close": v.body["clear_on_close"] == true,
		"notify_on_close": v.body["notify_on_close"] == true, "submit_disabled": false, "root_view_id": v.root, "previous_view_id": nil,
		"app_id": s.appID, "app_installed_team_id": s.teamID, "bot_id": s.botID,
	}
	if v.previous != "" {
		o["previous_view_id"] = v.previous
	}
	return o
}

// Modals lists the modals a user has open, the topmost last.
func (v *View) Modals(user string) []Modal {
	return v.views(func(m *modal) bool { return m.User == user && m.Type == "modal" && m.Open })
}

// Home is a user's home tab of the app; ok is false when none was published.
func (v *View) Home(user string) (m Modal, ok bool) {
	for _, m := range v.views(func(m *modal) bool { return m.User == user && m.Type == "home" }) {
		return m, true
	}
	return Modal{}, false
}

func (v *View) views(keep func(*modal) bool) []Modal {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	var out []Modal
	for n := 1; n <= v.st.ids['V']; n++ { // in the order they were made
		if m := v.st.views[fmt.Sprintf("V0SB%06d", n)]; m != nil && keep(m) {
			out = append(out, m.Modal)
		}
	}
	return out
}
