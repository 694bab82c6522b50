package main

import (
	"fmt"
	"slices"
	"strings"
)

const module = "github.com/houston-sre/houston"

// testKits are the packages for tests: stand-ins, and servers to test with.
func testKits() []string {
	return []string{"incidents/proctest", "incidents/sqlstore/pgtest", "bot/webhook/amtest", "bot/contracttest", "bot/sandbox", "postmortem/evidence/promtest"}
}

// pkg is what the rules know of one package. Packages of this module are named
// by their folder (incidents/sqlstore), others by their import path.
type pkg struct {
	name        string
	imports     []string // of the code
	testImports []string // of the tests, external ones included
}

// rule is one part of the import rule: whether package p may import q.
type rule struct {
	name   string
	reason string
	broken func(p, q string) bool
	tests  bool // holds for test code too
}

// rules are the import rule in parts, each with its reason. Tests are held to
// the parts that say so; they may import the test kits besides.
func rules() []rule {
	return []rule{
		{
			name:   "incidents imports the standard library alone",
			reason: "it is the truth: what decides an incident must be readable and testable without a network, a database or a vendor",
			broken: func(p, q string) bool { return p == "incidents" && !standard(q) },
		},
		{
			name:   "postmortem imports the standard library and incidents alone",
			reason: "the document is decided as purely as the incident that it is about",
			broken: func(p, q string) bool { return p == "postmortem" && !standard(q) && q != "incidents" },
		},
		{
			name:   "a package imports only its parents and what the rule grants it",
			reason: "siblings that import each other cannot be understood, replaced or tested one at a time; what one needs of another comes through an interface it declares, wired in cmd/houston",
			broken: func(p, q string) bool { return ours(q) && !isTestKit(q) && !mayImport(p, q) },
			tests:  true,
		},
		{
			name:   "only test code imports a test kit",
			reason: "a stand-in or a throw-away server in the program that people run is a fault waiting for its day",
			broken: func(p, q string) bool {
				demo := p == "cmd/houston" && q == "bot/sandbox" // it embeds the sandbox
				return isTestKit(q) && !isTestKit(p) && !demo
			},
		},
		{
			name:   "a test kit imports nothing of Houston but other kits",
			reason: "it stands for the outside world, over the wire; what it knew of Houston it could not test, and Houston's own tests could not use it",
			broken: func(p, q string) bool { return isTestKit(p) && ours(q) && !isTestKit(q) },
		},
		{
			name:   "only cmd/houston imports viper",
			reason: "configuration is read in one place and handed on as values; a package that reads it itself cannot be used twice",
			broken: func(p, q string) bool { return strings.HasPrefix(q, "github.com/spf13/viper") && p != "cmd/houston" },
			tests:  true,
		},
		{
			name:   "only incidents/sqlstore, the queue and cmd/houston know a database driver",
			reason: "the only SQL and the only transactions are the store's; the queue writes its jobs in them, and cmd/houston opens the database",
			broken: func(p, q string) bool {
				driver := strings.HasPrefix(q, "github.com/jackc/pgx/") || strings.HasPrefix(q, "modernc.org/sqlite")
				return driver && !slices.Contains([]string{"incidents/sqlstore", "incidents/queue", "cmd/houston", "migrations"}, p) && !isTestKit(p)
			},
		},
		{
			name:   "only incidents/queue and cmd/houston import River",
			reason: "jobs are plain structs in incidents, so that nobody else has to know how they are carried out",
			broken: func(p, q string) bool {
				return strings.HasPrefix(q, "github.com/riverqueue/") && p != "incidents/queue" && p != "cmd/houston"
			},
		},
	}
}

// mayImport is the heart of the rule, for two packages of this module. What it
// grants besides parents is listed, so that each grant is a decision.
func mayImport(p, q string) bool {
	switch {
	case p == "cmd/houston":
		return true // it wires
	case p == q:
		return true // a package's outside tests
	case q == "cmd/houston":
		return false
	case strings.HasPrefix(p, q+"/"):
		return true // a parent
	case p == "postmortem":
		return q == "incidents"
	case p == "incidents/sqlstore":
		return q == "postmortem" || q == "migrations"
	case within(p, "bot"), within(p, "postmortem"):
		return slices.Contains([]string{"incidents", "postmortem", "templates"}, q)
	default:
		return false
	}
}

// standard reports a package of the standard library: the first part of any
// other import path has a dot in it, and ours are folders.
func standard(q string) bool {
	first, _, _ := strings.Cut(q, "/")
	return !strings.Contains(first, ".") && !ours(q)
}

func topLevel() []string {
	return []string{"cmd", "bot", "incidents", "postmortem", "templates", "migrations"}
}

func ours(q string) bool {
	first, _, _ := strings.Cut(q, "/")
	return slices.Contains(topLevel(), first)
}

func within(p, parent string) bool { return p == parent || strings.HasPrefix(p, parent+"/") }

// forTests reports what the tests of every edge may import beside the kits: the
// real store, since a Service needs one and a second truth made for tests would
// be held to nothing.
func forTests(q string) bool { return q == "incidents/sqlstore" }

func isTestKit(p string) bool { return slices.Contains(testKits(), p) }

// violations are the broken rules of a set of packages, each in a sentence
// with its reason.
func violations(packages []pkg) []string {
	var found []string
	for _, p := range packages {
		for _, r := range rules() {
			complain := func(q, where string) {
				found = append(found, fmt.Sprintf("%s imports %s%s\n\tthe rule: %s\n\tbecause %s", p.name, q, where, r.name, r.reason))
			}
			for _, q := range p.imports {
				if r.broken(p.name, q) {
					complain(q, "")
				}
			}
			for _, q := range p.testImports {
				if r.tests && !forTests(q) && r.broken(p.name, q) {
					complain(q, " in its tests")
				}
			}
		}
	}
	return found
}
