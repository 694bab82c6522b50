package incidents

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestAnyOrder: two peers deliver the same alert's lives, each delivery doubled, in
// every order there is; what fires at the end is what fired last.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return clockAt(14, 0).Add(time.Duration(second) * time.Second) }
	fires := func(starts int) Alert {
		return Alert{Fingerprint: "f", Firing: true, StartsAt: at(starts), Action: RouteDeclare}
	}
	ended := func(starts, ends int) Alert {
		return Alert{Fingerprint: "f", StartsAt: at(starts), EndsAt: at(ends), Action: RouteDeclare}
	}
	for _, tt := range []struct {
		name       string
		deliveries []Alert
		fires      bool
	}{
		{"one life", []Alert{fires(0), fires(0), ended(0, 5), ended(0, 5)}, false},
		{"one life and the next begun", []Alert{fires(0), ended(0, 5), fires(10), fires(0), ended(0, 5), fires(10)}, true},
		{"two lives", []Alert{fires(0), ended(0, 5), fires(10), ended(10, 15), ended(0, 5), fires(10), ended(10, 15)}, false},
		{"two lives and the next begun", []Alert{fires(0), ended(0, 5), fires(10), ended(10, 15), fires(20), fires(20)}, true},
		{"a start that moves to an earlier one", []Alert{fires(3), fires(0), fires(0), ended(0, 5)}, false},
		{"a start that moves on while it fires", []Alert{fires(0), fires(3), fires(3), ended(3, 5)}, false},
		{"a clock that is minutes ahead", []Alert{fires(300), ended(300, 305), fires(310), ended(300, 305)}, true},
		{"a clock that is minutes behind", []Alert{fires(-300), ended(-300, -295), fires(-290), ended(-300, -295)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wrong := 0
			permute(len(tt.deliveries), func(order []int) {
				var rows []Alert
				for i, n := range order {
					known := map[string]Alert{}
					for _, row := range rows {
						if row.Firing || !known["f"].Firing {
							known["f"] = row
						}
					}
					m := mergeAlerts(known, []Alert{tt.deliveries[n]}, at(20+2*i), time.Time{})
					rows = saved(rows, m.save)
				}
				open := 0
				for _, row := range rows {
					if row.Firing {
						open++
					}
				}
				if (open == 1) != tt.fires || open > 1 {
					if wrong++; wrong <= 3 {
						t.Errorf("%s: got %d open rows: %s", story(tt.deliveries, order), open, rowsText(rows))
					}
				}
			})
			if wrong > 0 {
				t.Errorf("%d orders lead to a wrong end", wrong)
			}
		})
	}
}

// story tells deliveries in an order.
func story(deliveries []Alert, order []int) string {
	var steps []string
	for _, n := range order {
		a := deliveries[n]
		step := fmt.Sprintf("fires(%s)", a.StartsAt.Format("4:05"))
		if !a.Firing {
			step = fmt.Sprintf("ended(%s, %s)", a.StartsAt.Format("4:05"), a.EndsAt.Format("4:05"))
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, " ")
}

// permute calls use with every order of 0 … n-1.
func permute(n int, use func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var walk func(int)
	walk = func(i int) {
		if i == n {
			use(order)
			return
		}
		for j := i; j < n; j++ {
			order[i], order[j] = order[j], order[i]
			walk(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	walk(0)
}
