// Package export writes what postmortem holds: Markdown, the reference, and
// JSON. The same facts give the same bytes.
//
// Whatever people or alert senders wrote is escaped so that it reads as they
// wrote it and does nothing else. Who may have an export is decided by the
// caller.
package export
