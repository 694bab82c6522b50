package incidents

// ActionQuery selects action items of all incidents.
type ActionQuery struct {
	Incident   int64    // 0: all
	Owner      string   // id; empty: anybody's
	Owners     []string // ids, of a team; nil: anybody's; empty: nobody's
	States     []ActionState
	Unfinished bool     // only those that still need somebody
	DueBefore  string   // YYYY-MM-DD, exclusive; leaves those without a date out
	Private    bool     // include private incidents
	Channels   []string // those of private incidents that are in the list, too
	Limit      int      // 0: 100
}

// ListedAction is an action item with the incident it is of.
type ListedAction struct {
	Incident Incident
	Item     ActionItem
}

// GapQuery selects monitoring gaps of all incidents.
type GapQuery struct {
	Incident int64 // 0: all
	States   []GapState
	Kinds    []GapKind
	Private  bool
	Channels []string // see [ActionQuery]
	Limit    int      // 0: 100
}

// ListedGap is a monitoring gap with the incident it is of.
type ListedGap struct {
	Incident Incident
	Gap      Gap
}

// PostmortemQuery selects incidents that owe or have a postmortem.
type PostmortemQuery struct {
	States   []PostmortemState
	Open     bool   // only those that somebody still has to work on
	Owner    string // id
	Before   int64  // numbers below this only (paging); 0: from the newest
	Private  bool
	Channels []string // see [ActionQuery]
	Limit    int      // 0: 100
}
