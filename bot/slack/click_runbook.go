package slack

import (
	"context"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// The buttons of a runbook's steps; their value is the incident's key, the
// runbook's place and the step's.
const (
	ActionTick   = "runbook_tick"
	ActionUntick = "runbook_untick"
)

// tickButton is the action id of a step's button: no two in a message may have
// the same.
func tickButton(action string, step int64) string { return action + "_" + strconv.FormatInt(step, 10) }

// pressTick is the pressing of a button that ticks a step off, or takes that back.
func pressTick(done bool) pressing {
	return func(e *Edge, ctx context.Context, c click) (reply, error) {
		parts := strings.Split(c.action.Value, "/")
		if len(parts) != 3 {
			return e.oldButton(c.Actor.ID), nil
		}
		number, err := incidents.ParseKey(parts[0])
		runbook, runbookErr := strconv.ParseInt(parts[1], 10, 64)
		step, stepErr := strconv.ParseInt(parts[2], 10, 64)
		if err != nil || runbookErr != nil || stepErr != nil {
			return e.oldButton(c.Actor.ID), nil
		}
		// The message shows what came of it; nothing is said twice.
		_, err = e.config.Service.Do(ctx, number, incidents.Tick{Request: c.Request, Runbook: runbook, Step: step, Done: done})
		return reply{}, err
	}
}
