// Command houston is the incident-response bot: its server, and the commands
// that look after it. This package alone knows all the others; it reads the
// configuration, and wires.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones by name, also where the machine has no list of them
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, cli{args: os.Args[1:], env: os.LookupEnv, stdout: os.Stdout, stderr: os.Stderr})
	stop()
	os.Exit(code)
}
