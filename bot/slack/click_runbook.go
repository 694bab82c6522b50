package slack

import (
	"context"
	"strconv"

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
		number, ids, ok := keyAnd(c.action.Value, 2)
		if !ok {
			return e.oldButton(c.Actor.ID), nil
		}
		// The message shows what came of it; nothing is said twice.
		_, err := e.config.Service.Do(ctx, number, incidents.Tick{Request: c.Request, Runbook: ids[0], Step: ids[1], Done: done})
		return reply{}, err
	}
}
