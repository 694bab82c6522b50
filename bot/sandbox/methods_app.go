package sandbox

import "strings"

func appMethods() map[string]*method {
	return map[string]*method{
		"api.test":              {json: true, open: true, errors: nil, run: apiTest},
		"auth.test":             {json: true, run: authTest},
		"apps.connections.open": {json: true, appLevel: true, errors: []string{"missing_args"}, run: connectionsOpen},
		"team.info":             {json: true, scopes: []string{"team:read"}, errors: []string{"team_not_found"}, run: teamInfo},
		"bots.info":             {scopes: []string{"users:read"}, team: true, errors: []string{"bot_not_found"}, run: botsInfo},
	}
}

func apiTest(c *call) (object, error) {
	out := object{"args": c.args}
	if code := c.args["error"]; code != "" {
		// Slack echoes the asked-for error; the code is the caller's, not ours.
		return nil, &apiError{code: "fatal_error", extra: object{"error": code, "args": c.args}}
	}
	return out, nil
}

func authTest(c *call) (object, error) {
	out := object{
		"url": "https://sandbox.slack.com/", "team": c.st.teamName, "user": c.st.users[c.st.botUser].Name,
		"team_id": c.st.teamID, "user_id": c.st.botUser, "bot_id": c.st.botID, "is_enterprise_install": c.st.org.installed,
	}
	if c.st.org.id != "" {
		out["enterprise_id"] = c.st.org.id
	}
	return out, nil
}

// connectionsOpen gives a one-use WebSocket address. The token counts only in
// the header, which dispatch has seen to: a form parameter is an error here.
func connectionsOpen(c *call) (object, error) {
	ticket := secret(16)
	c.st.tickets[ticket] = true
	url := "ws" + strings.TrimPrefix(c.base, "http") + "/socket?ticket=" + ticket + "&app_id=" + c.st.appID
	return object{"url": url}, nil
}

func teamInfo(c *call) (object, error) {
	if team := c.args["team"]; team != "" && team != c.st.teamID {
		return nil, fail("team_not_found")
	}
	team := object{
		"id": c.st.teamID, "name": c.st.teamName, "domain": "sandbox", "email_domain": "", "icon": object{}, "url": "https://sandbox.slack.com/",
	}
	c.st.org.mark(team)
	return object{"team": team}, nil
}

func botsInfo(c *call) (object, error) {
	if bot := c.args["bot"]; bot != "" && bot != c.st.botID {
		return nil, fail("bot_not_found")
	}
	profile := c.st.botProfile()
	profile["user_id"] = c.st.botUser
	return object{"bot": profile}, nil
}
