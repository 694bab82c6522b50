package main

import (
	"github.com/houston-sre/houston/bot/sandbox"
)

// The people of the demo, by id. They are roles, not persons.
const (
	dana  = "U0DANA"  // a developer who happens to sit beside a broker
	carla = "U0CARLA" // takes the lead
	olli  = "U0OLLI"  // operates the services
	petra = "U0PETRA" // knows Prometheus
	sam   = "U0SAM"   // speaks for support
)

// demoChannel is where incidents are reported and announced.
const demoChannel = "incidents"

// newWorld makes the workspace that the demo plays in.
func newWorld(clock *storyClock) *sandbox.Workspace {
	w := sandbox.New(sandbox.Config{Now: clock.Now, TeamName: "KreditSmart"})
	for _, user := range []sandbox.User{
		{ID: dana, Name: "dana", RealName: "Dana Developer"},
		{ID: carla, Name: "carla", RealName: "Carla Commander"},
		{ID: olli, Name: "olli", RealName: "Olli Operations"},
		{ID: petra, Name: "petra", RealName: "Petra Prometheus"},
		{ID: sam, Name: "sam", RealName: "Sam Support"},
	} {
		user.TZ, user.Locale = "Europe/Berlin", "en-US"
		w.AddUser(user)
	}
	everybody := []string{dana, carla, olli, petra, sam}
	w.AddChannel(sandbox.Channel{Name: demoChannel, Creator: carla, Members: append(everybody, w.BotUser().ID)})
	w.AddChannel(sandbox.Channel{Name: "team-offers", Creator: olli, Members: everybody})
	return w
}
