package sandbox

import "slices"

// otherTeam is the connected workspace that strangers come from by default.
const otherTeam = "T0SBOTHER1"

// User is a person or a bot of the workspace.
type User struct {
	ID       string // made when empty
	Name     string // the handle, without @
	RealName string
	Email    string
	TZ       string // default "Europe/Berlin"
	Locale   string // default "en-US"
	TeamID   string // default the workspace's team

	Guest           bool // multi-channel guest: is_restricted
	UltraRestricted bool // single-channel guest: is_restricted and is_ultra_restricted
	MaxChannels     int  // how many channels a guest may be in; 0: one if UltraRestricted, else any number
	Deleted         bool // deactivated
	Bot             bool
	Stranger        bool // from a connected workspace: is_stranger
}

// AddUser adds a person and returns the record with its ID and defaults. They
// are a member of "general" unless guest, stranger or deactivated.
func (w *Workspace) AddUser(u User) User {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	defer w.st.touch()
	return *w.st.addUser(u)
}

func (s *state) addUser(u User) *User {
	if u.ID == "" {
		u.ID = s.id('U')
		if s.org.id != "" {
			u.ID = s.id('W')
		}
	}
	if u.RealName == "" {
		u.RealName = u.Name
	}
	if u.TeamID == "" {
		u.TeamID = s.teamID
		if u.Stranger {
			u.TeamID = otherTeam
		}
	}
	if u.TZ == "" {
		u.TZ = "Europe/Berlin"
	}
	if u.Locale == "" {
		u.Locale = "en-US"
	}
	s.users[u.ID] = &u
	s.userOrder = append(s.userOrder, u.ID)
	for _, c := range s.channels {
		if c.General && !u.guest() && !u.Stranger && !u.Deleted && !u.Bot {
			c.Members = append(c.Members, u.ID)
		}
	}
	return &u
}

// AddUserGroup adds a user group and returns it with its ID.
func (w *Workspace) AddUserGroup(g UserGroup) UserGroup {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	defer w.st.touch()
	if g.ID == "" {
		g.ID = w.st.id('S')
	}
	g.Users = slices.Clone(g.Users)
	w.st.groups = append(w.st.groups, g)
	return g
}

// SetUserGroup changes a user group, found by its ID, and tells the app by
// subteam_updated; false when there is none.
func (w *Workspace) SetUserGroup(g UserGroup) bool {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	i := slices.IndexFunc(w.st.groups, func(other UserGroup) bool { return other.ID == g.ID })
	if i < 0 {
		return false
	}
	g.Users = slices.Clone(g.Users)
	w.st.groups[i] = g
	subteam := w.st.groupWire(g)
	subteam["users"] = slices.Clone(g.Users)
	w.emit(object{"type": "subteam_updated", "subteam": subteam})
	w.st.touch()
	return true
}

// UserGroups lists the user groups, disabled ones too, in the order they came.
func (v *View) UserGroups() []UserGroup {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	out := slices.Clone(v.st.groups)
	for i := range out {
		out[i].Users = slices.Clone(out[i].Users)
	}
	return out
}

// Deactivate marks a user as deleted and takes them out of every channel; the
// app gets user_change.
func (w *Workspace) Deactivate(user string) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	defer w.st.touch()
	u := w.st.users[user]
	if u == nil || u.Deleted {
		return
	}
	u.Deleted = true
	for _, c := range w.st.channels {
		c.remove(user)
	}
	w.emit(object{"type": "user_change", "user": w.st.userWire(u), "cache_ts": w.st.now().Unix(), "event_ts": formatTS(w.st.now().UnixMicro())})
}

// BotUser is the app's bot as a member of the workspace.
func (w *Workspace) BotUser() User {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	return *w.st.users[w.st.botUser]
}

// AppID is the installed app's api_app_id.
func (w *Workspace) AppID() string { return w.st.appID }

// BotID is the bot_id that messages of the app carry.
func (w *Workspace) BotID() string { return w.st.botID }

// TeamID is the workspace's team.
func (w *Workspace) TeamID() string { return w.st.teamID }

func (u *User) guest() bool { return u.Guest || u.UltraRestricted }

// full says whether a guest may not be in one channel more.
func (s *state) full(u *User) bool {
	limit := u.MaxChannels
	if limit == 0 && u.UltraRestricted {
		limit = 1
	}
	if limit == 0 || !u.guest() {
		return false
	}
	n := 0
	for _, c := range s.channels {
		if !c.IM && !c.Archived && c.has(u.ID) {
			n++
		}
	}
	return n >= limit
}

// userWire is the user object of users.info and the user_change event.
func (s *state) userWire(u *User) object {
	o := object{
		"id": u.ID, "team_id": u.TeamID, "name": u.Name, "deleted": u.Deleted, "real_name": u.RealName,
		"profile": object{
			"real_name": u.RealName, "display_name": u.Name, "real_name_normalized": u.RealName,
			"display_name_normalized": u.Name, "team": u.TeamID,
		},
		"is_bot": u.Bot, "is_app_user": false, "updated": 0,
	}
	if u.Stranger {
		o["is_stranger"] = true
	} else if s.org.id != "" {
		o["enterprise_user"] = object{
			"id": u.ID, "enterprise_id": s.org.id, "enterprise_name": s.org.name, "is_admin": false, "is_owner": false, "teams": []string{s.teamID},
		}
	}
	if u.Bot {
		o["profile"].(object)["bot_id"] = s.botID
		o["profile"].(object)["api_app_id"] = s.appID
	}
	if u.Deleted {
		return o // Slack leaves time zone and roles out of deactivated users
	}
	o["tz"], o["tz_label"], o["tz_offset"] = u.TZ, u.TZ, 3600
	o["is_admin"], o["is_owner"], o["is_primary_owner"] = false, false, false
	o["is_restricted"], o["is_ultra_restricted"] = u.guest(), u.UltraRestricted
	return o
}
