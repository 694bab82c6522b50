// Package postmortem is what is known and learnt about an incident afterwards.
// It is pure. For now it holds the facts: everything that follows from the
// incident's log alone, before a person has written a word. The document,
// action items and monitoring gaps join it later.
//
// Unknown is a value here, never zero, and durations are computed, never typed.
package postmortem
