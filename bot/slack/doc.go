// Package slack is Houston's way into and out of Slack.
//
// Inbound it takes commands, clicks and events over signed HTTP and over Socket
// Mode, finds out who acts, and calls one method of incidents.Service for each;
// its answers cost one short transaction and no call to Slack. Outbound it makes
// the effects that incidents are owed: channels, cards, pins, invitations.
//
// The package does not decide what may happen to an incident, and it keeps no
// state of its own but what it remembers of people and of rate limits.
package slack
