// Package pager wakes people up: one file per provider.
//
// A page has a key of its own that the provider knows it by, so that asking
// twice, after a crash or a lost answer, wakes nobody twice. Houston resolves the
// pages it has made and no others.
package pager
