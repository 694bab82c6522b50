package incidents

// keepAlerts has the list of an incident's alerts show what is true now.
func (d *decision) keepAlerts() {
	if !d.inc.writable() || !d.inc.Alerted || !d.any(inAlertList) {
		return
	}
	d.runLater(MakeAlerts, "", d.inc.Seq) // the card goes first
}

// inAlertList reports whether the list of alerts shows something of an event.
func inAlertList(data Data) bool {
	switch data.(type) {
	case AlertsReceived, Absorbed, ChannelOpened, SilenceAsked, SilenceEnded:
		return true
	default:
		return false
	}
}
