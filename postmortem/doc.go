// Package postmortem is what is known and learnt about an incident afterwards.
// It is pure. [FactsOf] gathers what follows from the incident's log alone;
// [DraftOf] makes of it the document that its author begins with: sentences
// where the facts suffice, candidates where they hint, and a question wherever
// only people know. Review and monitoring gaps with their proof join it later.
//
// Unknown is a value here, never zero, and durations are computed, never typed.
// There is no root cause: a document names several contributing factors.
package postmortem
