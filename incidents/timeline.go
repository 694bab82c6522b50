package incidents

import (
	"cmp"
	"slices"
	"time"
)

// Entry is one line of the timeline as people read it.
type Entry struct {
	Seq        int64
	At         time.Time
	RecordedAt time.Time
	Precision  Precision
	Until      Instant // when it was over; zero: it is a moment
	Kind       EntryKind
	Actor      Person
	Text       string
	Told       Phrase // what Text was made of where Houston speaks, else zero
	Permalink  string
	Edited     bool // its words were changed after they were written
	Deleted    bool // the message was deleted where it was written; the words are gone
	Internal   bool // never for the public
	Files      []File
	// Significant says that people call it a key moment.
	Significant bool
}

// Timeline folds events into what people read: redacted entries are gone,
// amended ones current, ordered by when it happened and then by Seq.
func Timeline(events []Event) []Entry {
	entries := map[int64]*Entry{}
	for _, e := range events {
		switch data := e.Data.(type) {
		case Amended:
			if entry := entries[data.Seq]; entry != nil {
				entry.amend(data, e.RecordedAt)
			}
			continue
		case FileStored:
			entries[data.Seq].file(data.ID, func(f *File) { f.Digest = data.Digest })
			continue
		case FileLost:
			entries[data.Seq].file(data.ID, func(f *File) { f.Failed = data.Reason })
			continue
		case Redacted:
			delete(entries, data.Seq)
			continue
		}
		kind, text := e.Data.Entry()
		if kind == "" {
			continue
		}
		entry := &Entry{
			Seq: e.Seq, At: e.At, RecordedAt: e.RecordedAt, Precision: e.Precision,
			Kind: kind, Actor: e.Actor.Person, Text: text,
		}
		if teller, ok := e.Data.(Teller); ok {
			entry.Told = teller.Told()
		}
		if adopted, ok := e.Data.(Adopted); ok {
			entry.Permalink, entry.Internal, entry.Files = adopted.Permalink, adopted.Internal, slices.Clone(adopted.Files)
			entry.Until, entry.Significant = adopted.Until, adopted.Significant
		}
		if drawn, ok := e.Data.(ChartDrawn); ok {
			entry.Files = []File{drawn.File}
		}
		if noted, ok := e.Data.(Noted); ok {
			entry.Permalink, entry.Until, entry.Significant = noted.Permalink, noted.Until, noted.Significant
			if noted.Message != nil {
				entry.Actor = noted.Author
			}
			entry.Internal, entry.Files = noted.Mark == MarkInternal, slices.Clone(noted.Files)
		}
		entries[e.Seq] = entry
	}
	folded := make([]Entry, 0, len(entries))
	for _, entry := range entries {
		folded = append(folded, *entry)
	}
	slices.SortFunc(folded, func(a, b Entry) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Seq, b.Seq))
	})
	return folded
}

func (e *Entry) amend(data Amended, at time.Time) {
	if data.Text != "" && !e.Deleted {
		e.Edited = true
		e.Text, e.Told = data.Text, Phrase{}
	}
	if data.Kind != "" {
		e.Kind = data.Kind
	}
	if data.At != nil {
		e.At, e.Precision = *data.At, orElse(data.Precision, e.Precision)
	}
	if data.Until != nil {
		e.Until = *data.Until
	}
	if data.Significant != nil {
		e.Significant = *data.Significant
	}
	if data.Permalink != "" {
		e.Permalink = data.Permalink
	}
	if data.Internal != nil {
		e.Internal = *data.Internal
	}
	if data.Deleted {
		e.Told = tombstone(at)
		e.Deleted, e.Text, e.Files = true, e.Told.String(), nil
	}
}

// file changes a file of an entry; what is not there stays as it is.
func (e *Entry) file(id string, change func(*File)) {
	if e == nil {
		return
	}
	for i := range e.Files {
		if e.Files[i].ID == id {
			change(&e.Files[i])
		}
	}
}
