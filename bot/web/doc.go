// Package web is Houston's side towards browsers and programs: the JSON API,
// health and metrics; pages and feeds join it later.
//
// Handlers return an error and one function, in problem.go, maps it to an
// answer. Input is decoded strictly. What an actor may see and do is decided by
// incidents; this package only says who asks.
package web
