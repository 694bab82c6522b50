package incidents

// stormGroup stands for all groups of a storm together in [Incident.Firing]: a
// number for each of ten thousand groups would be written with every change.
const stormGroup = "storm"

// storm has a group join the incident for all that is beyond the bound on
// incidents that alerts open, or opens it. There is one at a time.
func (in *ingestion) storm() error {
	number, err := in.tx.Storm()
	if err != nil {
		return err
	}
	if number != 0 {
		inc, err := in.tx.Incident(number)
		if err != nil {
			return err
		}
		if inc.Status.Open() {
			return in.tell(inc)
		}
	}
	if number, err = in.tx.NextNumber(); err != nil {
		return err
	}
	if err := in.tx.SaveStorm(number); err != nil {
		return err
	}
	return in.open(number, true)
}

// received sums up what the delivery changed in an incident.
func (in *ingestion) received(inc Incident) AlertsReceived {
	r := AlertsReceived{
		Group: in.group.ID, Fired: len(in.merged.fired), Resolved: len(in.merged.resolved),
		Firing: in.group.Firing, Unseen: in.group.hidden(), Names: in.names(), Presumed: in.presumed, Lapsed: in.lapsed, Elsewhere: in.elsewhere,
	}
	if in.inStorm(inc) {
		r.Group = stormGroup
		r.Firing += inc.Firing[stormGroup] - in.counted.firing
		r.Unseen += inc.Unseen[stormGroup] - in.counted.unseen
	}
	return r
}

// inStorm reports whether an incident counts the group among all of its storm: a
// storm counts the groups of an incident that was merged into it by themselves,
// and an incident those of a storm that was merged into it together.
func (in *ingestion) inStorm(inc Incident) bool {
	_, own := inc.Firing[in.group.ID]
	_, unseen := inc.Unseen[in.group.ID]
	return !own && !unseen && (inc.Storm || (in.counted != tally{} && inc.Firing[stormGroup] > 0))
}

// tally is what an incident counts of a group.
type tally struct{ firing, unseen int }
