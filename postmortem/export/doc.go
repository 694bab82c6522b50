// Package export writes postmortems: Markdown, the reference, which [Parse]
// reads back; HTML in one file; and JSON. The same document gives the same
// bytes.
//
// What a page consists of is laid out once (layout.go and its neighbours); each
// format only writes it out. Whatever people or alert senders wrote is escaped
// so that it reads as they wrote it and does nothing else. Who may have an
// export is decided by the caller.
package export
