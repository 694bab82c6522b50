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
// What real workspaces do only now and then is played on request: EnforceRates
// (429 by tier), RandomPages, Inject (faults), DisconnectSockets, LimitEvents,
// Uninstall, and an Enterprise organisation by Config. A page that shows the
// workspace reads it through View and learns from Subscribe when to read again.
//
// Every payload is compared with Slack's published samples, and Slack's own
// clients for Node run against the stand-in (.ci/node).
//
// It does not play group direct messages, canvases, scheduled messages, files.upload,
// calls and workflows.
//
// Facts come from docs.slack.dev (method pages of August 2026, guides of
// January 2026) and the payload samples of slackapi/java-slack-sdk.
package sandbox
