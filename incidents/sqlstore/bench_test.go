package sqlstore_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

const stormSize = 5000

// storm is a delivery of as many alerts as a bad day brings, each of the size
// that kube-prometheus sends.
func storm(group string) incidents.Delivery {
	alerts := make([]incidents.Alert, stormSize)
	for i := range alerts {
		alerts[i] = firing("KubePodCrashLooping", strconv.Itoa(i), "namespace", "offers", "container", "broker",
			"pod", fmt.Sprintf("broker-7d9f8b6c5d-%05d", i), "job", "kube-state-metrics", "prometheus", "monitoring/k8s")
		alerts[i].Annotations = map[string]string{
			"summary":     "Pod is crash looping.",
			"description": strings.Repeat("Pod is in waiting state (reason: CrashLoopBackOff). ", 4),
			"runbook_url": "https://runbooks.prometheus-operator.dev/runbooks/kubernetes/kubepodcrashlooping",
		}
		alerts[i].URL = "http://prometheus.example.com/graph?g0.expr=max_over_time&g0.tab=1"
	}
	d := delivery(alerts...)
	d.GroupKey = group
	return d
}

// BenchmarkIngest5000 takes 5,000 new alerts in and opens an incident for them.
func BenchmarkIngest5000(b *testing.B) {
	forEachBench(b, func(store *testStore) {
		b := store.b
		service := store.service()
		for i := 0; b.Loop(); i++ {
			if err := service.Ingest(b.Context(), storm(strconv.Itoa(i))); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRepeat5000 takes in 5,000 alerts that are known.
func BenchmarkRepeat5000(b *testing.B) {
	forEachBench(b, func(store *testStore) {
		b := store.b
		service := store.service()
		if err := service.Ingest(b.Context(), storm("")); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := service.Ingest(b.Context(), storm("")); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkInsert5000 is the measure for BenchmarkIngest5000: the same rows in
// bare INSERTs of 500 rows, in one transaction.
func BenchmarkInsert5000(b *testing.B) {
	forEachBench(b, func(store *testStore) {
		b := store.b
		var query strings.Builder
		query.WriteString(`INSERT INTO alerts (group_id, incident, fingerprint, firing, counts, name, starts_at, ends_at,
			received_at, labels, annotations, url, action) VALUES `)
		for i := range 500 {
			if i > 0 {
				query.WriteString(", ")
			}
			row := "(?, 1, ?, TRUE, TRUE, 'KubePodCrashLooping', 1, 2, 3, ?, ?, '', 'declare')"
			if store.IsPostgres() {
				n := 4 * i
				row = fmt.Sprintf("($%d, 1, $%d, TRUE, TRUE, 'KubePodCrashLooping', 1, 2, 3, $%d, $%d, '', 'declare')", n+1, n+2, n+3, n+4)
			}
			query.WriteString(row)
		}
		for i := 0; b.Loop(); i++ {
			alerts := storm("").Alerts
			tx, err := store.DB().BeginTx(b.Context(), nil)
			if err != nil {
				b.Fatal(err)
			}
			for len(alerts) > 0 {
				var args []any
				for _, a := range alerts[:500] {
					args = append(args, strconv.Itoa(i), incidents.FingerprintOf(a.Labels), fmt.Sprint(a.Labels), fmt.Sprint(a.Annotations))
				}
				if _, err := tx.ExecContext(b.Context(), query.String(), args...); err != nil {
					b.Fatal(err)
				}
				alerts = alerts[500:]
			}
			if err := tx.Commit(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// forEachBench is forEach for benchmarks: PostgreSQL waits for the disk.
func forEachBench(b *testing.B, bench func(store *testStore)) {
	b.Helper()
	b.Run("sqlite", func(b *testing.B) {
		store := openSQLite(b)
		store.b = b
		bench(store)
	})
	b.Run("postgres", func(b *testing.B) {
		store := openStore(b, pgtest.New(b, pgtest.Config{Fsync: true}).Schema(b))
		store.b = b
		bench(store)
	})
}
