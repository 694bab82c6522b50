package incidents

import (
	"fmt"
	"slices"
)

// MaxFiles bounds the files that are kept of one message: Slack attaches at most
// ten to a message that a person writes.
const MaxFiles = 10

// File is an image or another file that was attached to a captured message.
type File struct {
	ID   string `json:"id"` // the chat's own
	Name string `json:"name"`
	Type string `json:"type"` // media type, as the chat says
	Size int64  `json:"size"` // in bytes
	// Digest is the SHA-256 of its bytes in hex once they are stored.
	Digest string `json:"digest,omitempty"`
	// Failed says in words why it is not stored and will not be.
	Failed string `json:"failed,omitempty"`
}

// FileStored says that the bytes of a captured file are stored.
type FileStored struct {
	Seq    int64  `json:"seq"` // of the entry it belongs to
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

// FileLost says that a captured file could not be fetched and will not be.
type FileLost struct {
	Seq    int64  `json:"seq"` // of the entry it belongs to
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Type is the name the event is stored under.
func (FileStored) Type() string { return "file_stored" }

// Type is the name the event is stored under.
func (FileLost) Type() string { return "file_lost" }

// Entry of a stored file: it shows on the entry it belongs to.
func (FileStored) Entry() (EntryKind, string) { return "", "" }

// Entry of a lost file: it is said on the entry it belongs to.
func (FileLost) Entry() (EntryKind, string) { return "", "" }

func (FileStored) apply(*Incident, Event) {}
func (FileLost) apply(*Incident, Event)   {}

// fetch owes the bytes of the files of an entry.
func (d *decision) fetch(seq int64, files []File) {
	for _, f := range files {
		d.run(MakeFetch, FetchTarget(seq, f.ID), 1)
	}
}

// FetchTarget is the target of the effect that fetches a file of an entry.
func FetchTarget(seq int64, file string) string { return fmt.Sprintf("%d/%s", seq, file) }

// ParseFetchTarget reads what [FetchTarget] wrote.
func ParseFetchTarget(target string) (seq int64, file string, ok bool) {
	n, err := fmt.Sscanf(target, "%d/%s", &seq, &file)
	return seq, file, err == nil && n == 2
}

// stored gives those of some files whose bytes are kept.
func stored(files []File) []File {
	return slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Digest == "" })
}
