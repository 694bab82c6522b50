package slack

// Verbs lists the commands that are built, for tests that go through all.
func Verbs() []string {
	var built []string
	for _, c := range verbs() {
		if c.do != nil {
			built = append(built, string(c.verb))
		}
	}
	return built
}

// Clicks lists the action ids that something is done about.
func Clicks() []string {
	var ids []string
	for id := range clicks() {
		ids = append(ids, id)
	}
	return ids
}
