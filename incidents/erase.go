package incidents

import "strconv"

// MakeErase has the bytes of an entry's files deleted, which nobody may read any
// more; Target: the Seq of the entry. The log keeps what they were: name, size and
// digest.
const MakeErase EffectKind = "erase"

// erase owes the deletion of an entry's files.
func (d *decision) erase(seq int64) {
	d.run(MakeErase, strconv.FormatInt(seq, 10), d.inc.Seq)
}

// filesOf are those that an event brings.
func filesOf(data Data) []File {
	switch data := data.(type) {
	case Noted:
		return data.Files
	case Adopted:
		return data.Files
	case ChartDrawn:
		return []File{data.File}
	default:
		return nil
	}
}

// Digests lists the digests of all files that an entry ever had, whether it is
// still there or not.
func Digests(events []Event, seq int64) []string {
	var digests []string
	for _, e := range events {
		if stored, ok := e.Data.(FileStored); ok && stored.Seq == seq {
			digests = append(digests, stored.Digest)
		}
		if e.Seq != seq {
			continue
		}
		for _, f := range filesOf(e.Data) {
			if f.Digest != "" {
				digests = append(digests, f.Digest)
			}
		}
	}
	return digests
}

// standing reports whether an entry that was captured is still there, with its
// message, and may be read.
func (inc Incident) standing(seq int64) bool {
	for _, c := range inc.Captured {
		if c.Seq == seq {
			return !c.Hidden && !c.Gone
		}
	}
	return false
}
