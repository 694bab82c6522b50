// Package pgtest gives tests a real PostgreSQL: one private cluster for each
// test package, started when the first test asks, and a fresh schema for each
// test:
//
//	dsn := pgtest.Schema(t)
//
// A test that stops and starts its database takes a cluster of its own with
// [New].
//
// A cluster lives in a temporary folder, listens on loopback alone, runs as
// the user postgres when the tests run as root, and ends with the test process,
// however that ends. Where PostgreSQL is not installed the test is skipped, or
// fails when HOUSTON_TEST_REQUIRE names "postgres".
//
// The server's time zone is deliberately an odd one, so that code which relies
// on the server's zone fails here and not at a customer's.
package pgtest
