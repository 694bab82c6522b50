// Package proctest runs the programs of other people that tests need, such as
// PostgreSQL and Alertmanager: it finds them or skips the test in words, and
// it ends them with the test process, however that ends.
//
// It knows nothing of any program; each has a kit of its own (pgtest, amtest).
//
// It stands directly under incidents because the import rule lets a package
// below incidents and one below bot meet nowhere else: siblings do not import
// each other, and everybody may import what incidents holds. Only test code
// and test kits may import it.
//
// It needs a Unix: the supervisor is a small sh script.
package proctest
