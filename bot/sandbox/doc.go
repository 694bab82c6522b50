// Package sandbox is a strict stand-in for Slack. It keeps a workspace of
// people, channels and messages in memory and speaks Slack's wire: the Web API
// over HTTP, signed commands, interactivity and events, response URLs, and
// Socket Mode over WebSocket.
//
// It owns how Slack behaves: tokens and scopes, membership, channel names, what
// archiving does, Block Kit limits, the errors each method documents. It knows
// nothing of the app that talks to it. Where Slack's behaviour is not published,
// the stand-in takes the answer that is harder on the app, and a comment says so.
//
// A test makes a Workspace, serves it, points the app at it, acts as a person
// and waits for what it wants to see:
//
//	w := sandbox.New(sandbox.Config{})
//	srv, err := sandbox.Serve(w, "127.0.0.1:0")
//	ann := w.AddUser(sandbox.User{Name: "ann"})
//	ops := w.AddChannel(sandbox.Channel{Name: "ops", Members: []string{ann.ID}})
//	w.SetURLs(app+"/commands", app+"/interactivity", app+"/events")
//	reply, err := w.Command(ctx, sandbox.Command{User: ann.ID, Channel: ops.ID, Command: "/hello"})
//	m, err := w.WaitMessage(ctx, ops.ID, "hello")
//
// Facts come from docs.slack.dev (method pages of August 2026, guides of
// January 2026) and the payload samples of slackapi/java-slack-sdk.
package sandbox
