package incidents

import (
	"slices"
	"strings"
)

// Grafana's alerts about a rule itself: that it found no data, or could not be
// evaluated. They carry the rule's name in the label rulename.
// https://grafana.com/docs/grafana/latest/alerting/fundamentals/alert-rule-evaluation/nodata-and-error-states/
const (
	NoDataAlert    = "DatasourceNoData"
	RuleErrorAlert = "DatasourceError"
)

// Reading says in a sentence what an alert means whose labels alone would not
// tell a person: an SLO's burn rate, a way between two nodes that kubenurse
// checks, a rule of Grafana's without data. Empty for all others.
func (a Alert) Reading() string {
	if slo, ok := SLOOf(a.Labels); ok {
		return slo.String()
	}
	if way := kubenurseWay(a.Labels); way != "" {
		return "kubenurse: " + way
	}
	switch rule := a.Labels["rulename"]; {
	case rule == "":
		return ""
	case a.Labels["alertname"] == NoDataAlert:
		return "The rule " + rule + " finds no data: whether it would fire is unknown"
	case a.Labels["alertname"] == RuleErrorAlert:
		return "The rule " + rule + " can not be evaluated: whether it would fire is unknown"
	default:
		return ""
	}
}

// kubenurseWay reads the labels of kubenurse's metrics
// (github.com/postfinance/kubenurse): type is path_<node> for the way to a
// neighbour, or names another way, and the node it runs on is in one of the
// labels that scrape configurations use. Empty when it is none of its alerts.
func kubenurseWay(labels map[string]string) string {
	mine := strings.Contains(strings.ToLower(labels["alertname"]), "kubenurse")
	for _, name := range []string{"job", "app", "service", "container"} {
		mine = mine || strings.Contains(labels[name], "kubenurse")
	}
	if !mine {
		return ""
	}
	var from string
	for _, name := range []string{"node", "kubernetes_node", "nodename", "instance", "pod"} {
		if from = labels[name]; from != "" {
			break
		}
	}
	to := map[string]string{
		"me_ingress": "itself through the ingress", "me_service": "itself through the service",
		"api_server_direct": "the API server", "api_server_dns": "the API server by its DNS name",
	}[labels["type"]]
	if node, ok := strings.CutPrefix(labels["type"], "path_"); ok {
		to = node
	}
	switch {
	case to == "":
		return ""
	case from == "":
		return "to " + to
	default:
		return from + " to " + to
	}
}

// readings gives the distinct sentences of alerts, at most so many.
func readings(alerts []Alert, most int) []string {
	var list []string
	for _, a := range alerts {
		if text := a.Reading(); text != "" && !slices.Contains(list, text) && len(list) < most {
			list = append(list, text)
		}
	}
	return list
}

// detectionOf says how alerts that begin to fire were noticed: by an SLO when
// one of them is a burn rate; empty: by an alert as any other.
func detectionOf(alerts []Alert) Detection {
	for _, a := range alerts {
		if _, ok := SLOOf(a.Labels); ok {
			return BySLO
		}
	}
	return ""
}
