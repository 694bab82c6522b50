// Package postmortem is what is known and learnt about an incident afterwards.
// It is pure. [FactsOf] gathers what follows from the incident's log alone;
// [DraftOf] makes of it the document that its author begins with: sentences
// where the facts suffice, candidates where they hint, and a question wherever
// only people know. What people then write lies over the draft field by field
// ([Written]), so that a draft made anew never takes a word from them.
//
// [Service] is the one door for work on documents: it saves revisions, says what
// is missing ([Check]) and takes a document through review to publication.
// [PublicOf] is what may be told outside.
//
// Unknown is a value here, never zero, and durations are computed, never typed.
// There is no root cause: a document names several contributing factors.
package postmortem
