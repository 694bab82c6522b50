package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/houston-sre/houston/incidents"
)

func TestVerdict(t *testing.T) {
	t.Parallel()
	unavailable := incidents.Errorf(incidents.Unavailable, "Slack asks to wait.")
	told := &incidents.Error{Kind: incidents.Unavailable, Message: "Slack asks to wait.", After: 7 * time.Second}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()

	type result string
	const (
		done    result = "done"
		givenUp result = "given up"
		putOff  result = "put off"
		asIs    result = "as it is"
	)
	tests := []struct {
		name   string
		ctx    context.Context //nolint:containedctx // a row of the table is one call
		err    error
		before int
		want   result
		least  time.Duration // when put off
		most   time.Duration
	}{
		{name: "success", want: done},
		{name: "lease lost", err: fmt.Errorf("settle: %w", incidents.ErrStale), want: done},
		{name: "unavailable", err: fmt.Errorf("post: %w", unavailable), want: putOff, least: 2 * time.Second, most: 2 * time.Second},
		{name: "unavailable for so long", err: told, before: 9, want: putOff, least: 7 * time.Second, most: 7 * time.Second},
		{name: "unavailable for less than nothing", err: &incidents.Error{Kind: incidents.Unavailable, After: -1}, want: putOff, least: 2 * time.Second, most: 2 * time.Second},
		{name: "invalid", err: incidents.Errorf(incidents.Invalid, "no"), want: givenUp},
		{name: "not found", err: fmt.Errorf("load: %w", incidents.Errorf(incidents.NotFound, "no")), want: givenUp},
		{name: "forbidden", err: incidents.Errorf(incidents.Forbidden, "no"), want: givenUp},
		{name: "conflict", err: incidents.Errorf(incidents.Conflict, "no"), want: givenUp},
		{name: "mismatch", err: incidents.Errorf(incidents.Mismatch, "no"), want: givenUp},
		{name: "gone", err: incidents.Errorf(incidents.Gone, "no"), want: givenUp},
		{name: "kind of tomorrow", err: incidents.Errorf("odd", "no"), want: putOff, least: time.Second, most: 1100 * time.Millisecond},
		{name: "first failure", err: errors.New("boom"), want: putOff, least: time.Second, most: 1100 * time.Millisecond},
		{name: "second failure", err: errors.New("boom"), before: 1, want: putOff, least: 2 * time.Second, most: 2200 * time.Millisecond},
		{name: "fourth failure", err: errors.New("boom"), before: 3, want: putOff, least: 8 * time.Second, most: 8800 * time.Millisecond},
		{name: "fifth failure", err: errors.New("boom"), before: 4, want: putOff, least: 15 * time.Second, most: 16500 * time.Millisecond},
		{name: "failure without end", err: errors.New("boom"), before: 100_000, want: putOff, least: 15 * time.Second, most: 16500 * time.Millisecond},
		{name: "panic", err: &panicked{value: "boom"}, want: putOff, least: time.Second, most: 1100 * time.Millisecond},
		{name: "stopped", ctx: canceled, err: fmt.Errorf("post: %w", context.Canceled), want: asIs},
		{name: "a cancellation of its own", err: context.Canceled, want: putOff, least: time.Second, most: 1100 * time.Millisecond},
		{name: "timeout", err: context.DeadlineExceeded, want: putOff, least: time.Second, most: 1100 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx := test.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			verdict := verdict(ctx, test.err, test.before)
			snooze, isPutOff := errors.AsType[*river.JobSnoozeError](verdict)
			_, isGivenUp := errors.AsType[*river.JobCancelError](verdict)
			var got result
			switch {
			case verdict == nil:
				got = done
			case isGivenUp:
				got = givenUp
			case isPutOff:
				got = putOff
				if snooze.Duration < test.least || snooze.Duration > test.most {
					t.Errorf("put off for %v, want %v to %v", snooze.Duration, test.least, test.most)
				}
			case verdict == test.err: //nolint:errorlint // the very same value
				got = asIs
			}
			if got != test.want {
				t.Errorf("verdict(%v) = %v (%s), want %s", test.err, verdict, got, test.want)
			}
		})
	}
}
