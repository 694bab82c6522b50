package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
)

// step is one thing that somebody does in the story.
type step struct {
	// after is how much time passes in the story before it.
	after time.Duration
	// tells is one line for the visitor.
	tells string
	do    func(ctx context.Context, s *story) error
}

// story plays KreditSmart: a broker misses his list of offers, a developer
// beside him says so, monitoring is blind, and the third restart helps.
type story struct {
	slack   *sandbox.Workspace
	clock   *storyClock
	channel string // of the incident, once it is there
}

// length is how much time passes in the whole story.
func (s *story) length() time.Duration {
	var sum time.Duration
	for _, step := range s.steps() {
		sum += step.after
	}
	return sum
}

func (s *story) steps() []step {
	return []step{
		{0, "A broker gets no offers. Dana, who sits beside him, asks in #incidents.", post(dana, demoChannel,
			"The broker beside me gets no list of offers for his client any more, it just stays empty. Is something wrong with offers?")},
		{time.Minute, "Houston offers to declare it. Dana does.", s.declare},
		{time.Minute, "Four people join the channel and the video call.", join(carla, olli, petra, sam)},
		{0, "Carla takes the lead with one click.", click(carla, "take_lead")},
		{2 * time.Minute, "Petra looks into Prometheus and pins what she sees.", postAndPin(petra, carla,
			"Prometheus: offers-api answers its p99 after more than a minute. broker-gateway and scoring wait for it. No alert has fired.")},
		{2 * time.Minute, "Sam asks what customers may be told; Carla puts a notice on the status page.", types(carla,
			"statuspage investigating Some brokers see an empty list of offers. We are looking into it.")},
		{time.Minute, "Carla tells everybody.", types(carla, "update We restart the three services one after another, broker-gateway first.")},
		{3 * time.Minute, "The first restart changes nothing.", types(olli, "timeline Restarted broker-gateway: no change")},
		{5 * time.Minute, "The second neither.", types(olli, "timeline Restarted scoring: no change")},
		{6 * time.Minute, "The third one helps.", types(olli, "timeline Restarted offers-api: the list of offers is back")},
		{time.Minute, "Olli says that users are well again.", types(olli, "mitigated 1m ago")},
		{10 * time.Minute, "Petra finds out why, and Olli pins it.", postAndPin(petra, olli,
			"Fast requests (under 1 s) share a connection pool with slow ones (over 1 min). The load has grown, the slow ones took every connection.")},
		{3 * time.Minute, "The status page tells the end.", types(carla, "statuspage resolved The list of offers is complete again.")},
		{0, "Carla resolves the incident; Houston has a draft ready.", types(carla, "resolve Restarting offers-api freed the connection pool")},
		{2 * time.Minute, "What has to change gets an owner and a date.", types(carla,
			"action Give slow requests a connection pool of their own @olli due "+s.due())},
		{0, "Monitoring was blind: that gap gets closed.", types(carla,
			"action Alert when offers-api uses more than 90 % of its connection pool for 5 minutes @petra due "+s.due())},
		{time.Minute, "The postmortem goes into the channel as a file.", s.export},
	}
}

// due is a date for action items: two weeks from now.
func (s *story) due() string { return time.Now().AddDate(0, 0, 14).Format(time.DateOnly) }

// play does one step after the time it takes in the story, and waits until
// Houston has done what follows.
func (s *story) play(ctx context.Context, next step) error {
	s.clock.pass(next.after)
	if err := next.do(ctx, s); err != nil {
		return fmt.Errorf("%s: %w", next.tells, err)
	}
	return nil
}

func post(user, channel, text string) func(context.Context, *story) error {
	return func(ctx context.Context, s *story) error {
		_, err := s.slack.Post(ctx, user, channel, text, "")
		return err
	}
}

func join(users ...string) func(context.Context, *story) error {
	return func(_ context.Context, s *story) error {
		for _, user := range users {
			s.slack.Join(user, s.channel)
		}
		return nil
	}
}

func click(user, action string) func(context.Context, *story) error {
	return func(ctx context.Context, s *story) error {
		pins, err := s.slack.WaitPins(ctx, s.channel, 1)
		if err != nil {
			return err
		}
		_, err = s.slack.Click(ctx, sandbox.Click{User: user, Channel: s.channel, MessageTS: pins[0].TS, ActionID: action})
		return err
	}
}

func types(user, text string) func(context.Context, *story) error {
	return func(ctx context.Context, s *story) error {
		reply, err := s.slack.Command(ctx, sandbox.Command{User: user, Channel: s.channel, Command: "/incident", Text: text})
		if err == nil && strings.HasPrefix(reply.Text, ":warning:") {
			err = errors.New(reply.Text)
		}
		return err
	}
}

// postAndPin has one person write and another pin it into the timeline.
func postAndPin(author, pinner, text string) func(context.Context, *story) error {
	return func(ctx context.Context, s *story) error {
		posted, err := s.slack.Post(ctx, author, s.channel, text, "")
		if err != nil {
			return err
		}
		_, err = s.slack.React(ctx, pinner, s.channel, posted.TS, "pushpin")
		return err
	}
}

// declare takes Houston's offer and fills the modal in.
func (s *story) declare(ctx context.Context, _ *story) error {
	offer, err := s.slack.WaitEphemeral(ctx, demoChannel, dana, "")
	if err != nil {
		return fmt.Errorf("wait for the offer: %w", err)
	}
	if _, err := s.slack.Click(ctx, sandbox.Click{User: dana, Channel: demoChannel, MessageTS: offer.TS, ActionID: slack.ActionReport}); err != nil {
		return err
	}
	var modal sandbox.Modal
	opened := func(*sandbox.View) bool {
		i := slices.IndexFunc(s.slack.Modals(dana), func(m sandbox.Modal) bool { return m.CallbackID == "declare" })
		if i >= 0 {
			modal = s.slack.Modals(dana)[i]
		}
		return i >= 0
	}
	if err := s.slack.WaitFor(ctx, opened); err != nil {
		return fmt.Errorf("wait for the modal: %w", err)
	}
	_, err = s.slack.SubmitView(ctx, sandbox.SubmitView{User: dana, ViewID: modal.ID, Values: map[string]string{
		"title": "Brokers see an empty list of offers", "severity": "sev2", "service": "offers",
	}})
	if err != nil {
		return err
	}
	channel, err := s.slack.WaitChannel(ctx, "inc-1-")
	if err != nil {
		return err
	}
	s.channel = channel.ID
	_, err = s.slack.WaitPins(ctx, s.channel, 1)
	return err
}

// export asks for the postmortem and waits for the file.
func (s *story) export(ctx context.Context, _ *story) error {
	if err := types(carla, "export")(ctx, s); err != nil {
		return err
	}
	return s.slack.WaitFor(ctx, func(*sandbox.View) bool {
		return slices.ContainsFunc(s.slack.Messages(s.channel), func(m sandbox.Message) bool { return len(m.Files) > 0 })
	})
}
