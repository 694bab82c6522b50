package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/houston-sre/houston/incidents"
)

// Metrics are what Houston tells Prometheus about itself, on a registry of its
// own. Label values are from small fixed sets, never what users write.
type Metrics struct {
	registry      *prometheus.Registry
	channelUsable prometheus.Histogram
	slackAnswer   *prometheus.HistogramVec
	webhooks      *prometheus.CounterVec
	http          *prometheus.HistogramVec
	slackCalls    *prometheus.CounterVec
	slackWaited   *prometheus.CounterVec
}

// NewMetrics makes the metrics and registers them.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		channelUsable: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "houston_declare_to_usable_channel_seconds",
			Help:    "Time from the declaration of an incident until its channel has the card and the reporter in it.",
			Buckets: []float64{0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60},
		}),
		slackAnswer: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "houston_slack_answer_seconds",
			Help:    "Time until a request or envelope of Slack was answered; Slack waits 3 seconds.",
			Buckets: []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1, 2, 3},
		}, []string{"kind"}),
		webhooks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "houston_webhook_deliveries_total",
			Help: "Deliveries to /webhooks by kind of sender and HTTP status of the answer.",
		}, []string{"source", "status"}),
		slackCalls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "houston_slack_calls_total",
			Help: "Calls of Slack's Web API by method and outcome: ok, refused, limited (429), held (not made, a rate limit is known), failed.",
		}, []string{"method", "outcome"}),
		slackWaited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "houston_slack_waited_seconds_total",
			Help: "Seconds that calls were put off by rate limits, by method.",
		}, []string{"method"}),
		http: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "houston_http_request_seconds",
			Help:    "Time until an HTTP request was answered, by route, method and status.",
			Buckets: []float64{0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10},
		}, []string{"route", "method", "status"}),
	}
	m.registry.MustRegister(
		m.channelUsable, m.slackAnswer, m.webhooks, m.http, m.slackCalls, m.slackWaited,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Mount puts /metrics on a mux.
func (m *Metrics) Mount(mux *http.ServeMux) {
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
}

// ChannelUsable observes how long a declaration took to become a usable channel.
func (m *Metrics) ChannelUsable(took time.Duration) { m.channelUsable.Observe(took.Seconds()) }

// SlackAnswered observes how long an answer to Slack took; kind is command,
// action, event and the like.
func (m *Metrics) SlackAnswered(kind string, took time.Duration) {
	m.slackAnswer.WithLabelValues(kind).Observe(took.Seconds())
}

// SlackCalled counts a call of Slack's Web API by the method's name and the
// outcome, with how long a rate limit has it wait.
func (m *Metrics) SlackCalled(method, outcome string, waited time.Duration) {
	m.slackCalls.WithLabelValues(method, outcome).Inc()
	if waited > 0 {
		m.slackWaited.WithLabelValues(method).Add(waited.Seconds())
	}
}

// WebhookDelivered counts a delivery by kind of sender and HTTP status.
func (m *Metrics) WebhookDelivered(kind string, status int) {
	m.webhooks.WithLabelValues(kind, strconv.Itoa(status)).Inc()
}

// HTTPAnswered observes a request; route is a mux pattern, never a path.
func (m *Metrics) HTTPAnswered(route, method string, status int, took time.Duration) {
	m.http.WithLabelValues(route, knownMethod(method), strconv.Itoa(status)).Observe(took.Seconds())
}

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "other"
	}
}

// EffectsOwed registers the gauge of effects owed. count is asked at each
// scrape, with a timeout, and gives the number by kind; on an error the gauge is
// left out of the scrape. It may be called once.
func (m *Metrics) EffectsOwed(count func(context.Context) (map[incidents.EffectKind]int, error)) {
	m.registry.MustRegister(&owedCollector{count: count, desc: prometheus.NewDesc(
		"houston_effects_owed", "What is still to be made outside, by kind.", []string{"kind"}, nil)})
}

type owedCollector struct {
	count func(context.Context) (map[incidents.EffectKind]int, error)
	desc  *prometheus.Desc
}

// Describe says which metric is collected.
func (c *owedCollector) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

// Collect asks for the numbers. The interface hands no context over.
func (c *owedCollector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	counts, err := c.count(ctx)
	if err != nil {
		return // a missing series can be alerted on; a wrong one could not
	}
	for _, kind := range incidents.EffectKinds() { // 0 is told too: an alert must see that it is over
		metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, float64(counts[kind]), string(kind))
	}
}
