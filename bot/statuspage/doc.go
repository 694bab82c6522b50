// Package statuspage tells the public how things stand: one file per provider,
// and the built-in page, which Houston serves itself.
//
// What the public may know is a notice and nothing else: its own title, its
// texts and their times. Before somebody publishes there is nothing, and of
// private incidents and drills there never is. Neither the incident's title nor
// its severity, people, channel or key can be read from what is served.
package statuspage
