package sqlstore_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

// BenchmarkIngest5000 takes 5,000 new alerts in and opens an incident for them, and
// writes the same rows with bare INSERTs of 500 rows, in one transaction, beside it.
// It reports how many alerts a second both store, and the one as a part of the other.
func BenchmarkIngest5000(b *testing.B) {
	forEachBench(b, func(store *testStore) {
		b := store.b
		service := store.service()
		var bare time.Duration
		for i := 0; b.Loop(); i++ {
			d := storm(strconv.Itoa(i))
			if err := service.Ingest(b.Context(), d); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			bare += store.insertAgain(b, incidents.GroupID(d.Source, d.Receiver, d.GroupKey))
			b.StartTimer()
		}
		stored := float64(stormSize * b.N)
		b.ReportMetric(stored/b.Elapsed().Seconds(), "alerts/s")
		b.ReportMetric(stored/bare.Seconds(), "bare-alerts/s")
		b.ReportMetric(bare.Seconds()/b.Elapsed().Seconds(), "of-bare")
	})
}

// insertAgain writes a group's alerts a second time, for another group, and gives
// how long that took.
func (s *testStore) insertAgain(b *testing.B, group string) time.Duration {
	b.Helper()
	rows, err := s.DB().QueryContext(b.Context(), `SELECT * FROM alerts WHERE group_id = '`+group+`'`)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		b.Fatal(err)
	}
	var values [][]any
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			b.Fatal(err)
		}
		row[slices.Index(columns, "group_id")] = "again " + group
		id := slices.Index(columns, "id")
		values = append(values, slices.Delete(row, id, id+1))
	}
	if err := rows.Err(); err != nil || len(values) != stormSize {
		b.Fatalf("read %d rows: %v", len(values), err)
	}
	columns = slices.DeleteFunc(columns, func(name string) bool { return name == "id" })
	const at = 500
	var query strings.Builder
	query.WriteString(`INSERT INTO alerts (` + strings.Join(columns, ", ") + `) VALUES `)
	for i := range at {
		marks := make([]string, len(columns))
		for j := range marks {
			marks[j] = "?"
			if s.IsPostgres() {
				marks[j] = "$" + strconv.Itoa(i*len(columns)+j+1)
			}
		}
		query.WriteString("(" + strings.Join(marks, ", ") + "), ")
	}
	insert := strings.TrimSuffix(query.String(), ", ")
	begun := time.Now()
	tx, err := s.DB().BeginTx(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for chunk := range slices.Chunk(values, at) {
		if _, err := tx.ExecContext(b.Context(), insert, slices.Concat(chunk...)...); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun)
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
