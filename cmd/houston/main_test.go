package main

import (
	"io"
	"os"
	"testing"
)

// processEnv set to 1 makes the test binary the program itself.
const processEnv = "HOUSTON_TEST_PROCESS"

// TestMain has the test binary run as houston when a test starts it so (see
// launch): the program is then what the tests were built of, and a real process
// that can be killed. It ends with the process that started it, whose end of
// its standard input closes then.
func TestMain(m *testing.M) {
	if os.Getenv(processEnv) != "1" {
		os.Exit(m.Run())
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	main()
}
