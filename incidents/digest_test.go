package incidents

import (
	"testing"
	"time"
	_ "time/tzdata" // Berlin's clocks on any machine
)

func TestDigestIsDueOnMondays(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	plain := NudgePolicy{Zone: func(string) *time.Location { return berlin }}
	holiday := plain
	holiday.Quiet.Days = []time.Weekday{time.Monday}
	for _, tt := range []struct {
		name   string
		policy NudgePolicy
		at     string
		monday string
		due    bool
	}{
		{"before nine", plain, "2027-03-08T08:59:59+01:00", "2027-03-08", false},
		{"at nine", plain, "2027-03-08T09:00:00+01:00", "2027-03-08", true},
		{"in summer time", plain, "2027-03-29T09:00:00+02:00", "2027-03-29", true},
		{"in the evening", plain, "2027-03-08T20:59:59+01:00", "2027-03-08", true},
		{"at night", plain, "2027-03-08T21:00:00+01:00", "2027-03-08", false},
		{"on Sunday", plain, "2027-03-14T12:00:00+01:00", "2027-03-08", false},
		{"on Monday in Auckland alone", plain, "2027-03-08T09:00:00+13:00", "2027-03-01", false},
		{"on a quiet Monday", holiday, "2027-03-08T12:00:00+01:00", "2027-03-08", false},
		{"the day after it", holiday, "2027-03-09T09:00:00+01:00", "2027-03-08", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			at, err := time.Parse(time.RFC3339, tt.at)
			if err != nil {
				t.Fatal(err)
			}
			if monday, due := tt.policy.digest(at.UTC()); monday != tt.monday || due != tt.due {
				t.Errorf("got %s, %v, want %s, %v", monday, due, tt.monday, tt.due)
			}
		})
	}
}
