// Package bot holds what is common to the outside world's side of Houston:
// effects that are made once ([Runner]) and what a card says ([CardOf]).
//
// Its children speak to one outside each. Nothing here knows Slack's API, SQL
// or River.
package bot
