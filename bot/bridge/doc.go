// Package bridge gives incidents their video call, one file per provider.
//
// What is here needs no call to anybody: the link is computed when the incident
// is declared, so that it stands on the first card.
package bridge
