//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sqlstore

import "os"

// lockFile takes nothing here: the standard library has no lock for this system
// that a killed process would give back. That there is one replica is then for
// whoever starts it.
func lockFile(*os.File) (taken bool, err error) { return true, nil }
