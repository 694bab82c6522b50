// Package setup helps to set the app in Slack up: it writes the manifest of an app
// that may do what Houston does and no more, and finds out whether what is
// configured works there.
package setup
