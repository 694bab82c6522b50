package incidents

// Heart is the state of a dead man's switch.
type Heart struct{}
