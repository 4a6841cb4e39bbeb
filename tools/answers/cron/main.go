// Asks robfig/cron, the library of upstream's CronJob controller, when schedules are due and what is wrong with them.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"time"

	"github.com/robfig/cron/v3"
)

type row struct {
	Schedule string `json:"schedule"`
	// Milliseconds since 1970.
	After int64 `json:"after"`
	// The times after it, each asked for the next one; shorter where there is none.
	Next []int64 `json:"next"`
}

var zones = []string{"UTC", "America/New_York", "America/Sao_Paulo", "America/Havana", "Europe/Berlin", "Asia/Kolkata", "Asia/Beirut", "Australia/Sydney", "Pacific/Apia", "Africa/Casablanca"}

var calendars = []string{
	"* * * * *", "*/15 * * * *", "0 * * * *", "30 1 * * *", "30 2 * * *", "0 0 * * *", "59 23 * * *", "0 3 * * 0", "5/20 */6 * * *",
	"0 12 1 * *", "0 0 29 2 *", "0 0 31 * *", "0 0 30 2 *", "15 10 ? * MON-FRI", "0 9 13 * FRI", "0 0 1 1 *", "0 0 */2 * 1", "0 2 * 3,11 *",
	"20-40/10 0-3 * * sun", "1,2,3 22 15-20 jun-aug *", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly",
}

var everies = []string{"@every 1s", "@every 90s", "@every 1h30m", "@every 500ms", "@every 2.7s", "@every -5s", "@every 36h"}

var wrong = []string{
	"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 *", "* * * * 7", "a * * * *", "1-2-3 * * * *",
	"1/2/3 * * * *", "5-1 * * * *", "*/0 * * * *", "-1 * * * *", "@never", "@every", "@every x", "@every 1", "@every 5q", "1- * * * *",
	"99999999999999999999 * * * *", "TZ=Nowhere/Land * * * * *", "TZ=UTC", "CRON_TZ=Europe/Berlin * * * *", "  ", "@HOURLY", ",, * * * *", "1,,2 * * * *", "+5 * * * *",
}

// What clocks of a zone will show is a matter of parliaments, and of the version of the time zone data: Go, Node and the operating
// system have a copy each. What they showed before is settled, so times of zones end here. UTC has no such end.
var settled = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	random := rand.New(rand.NewSource(1))
	rows := []row{}
	ask := func(spec string, after time.Time, count int, until time.Time) {
		schedule, err := cron.ParseStandard(spec)
		if err != nil {
			panic(err)
		}
		next := []int64{}
		for at := after; len(next) < count; {
			at = schedule.Next(at)
			if at.IsZero() {
				break
			}
			if !until.IsZero() && at.After(until) {
				if len(next) == 0 {
					return
				}
				break
			}
			next = append(next, at.UnixMilli())
		}
		rows = append(rows, row{spec, after.UnixMilli(), next})
	}
	begin := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, zone := range zones {
		location, err := time.LoadLocation(zone)
		if err != nil {
			panic(err)
		}
		until := settled
		if zone == "UTC" {
			until = time.Time{}
		}
		for _, calendar := range calendars {
			spec := fmt.Sprintf("TZ=%s %s", zone, calendar)
			ask(spec, begin.Add(time.Duration(random.Int63n(int64(3*365*24*time.Hour)))), 3, until)
			// From shortly before each change of clocks in 2022, for what is due within a day.
			_, before := begin.In(location).Zone()
			for at := time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2023; at = at.Add(time.Hour) {
				if _, offset := at.In(location).Zone(); offset != before {
					before = offset
					ask(spec, at.Add(-150*time.Minute), 6, until)
				}
			}
		}
	}
	for _, every := range everies {
		ask(every, begin.Add(time.Duration(random.Int63n(int64(time.Hour)))), 3, time.Time{})
	}
	problems := map[string]string{}
	for _, spec := range wrong {
		problems[spec] = problem(spec)
	}
	encoder := json.NewEncoder(os.Stdout)
	if err := encoder.Encode(map[string]any{"due": rows, "problems": problems}); err != nil {
		panic(err)
	}
}

// What upstream reports (k8s.io/kubernetes/pkg/util/parsers), which survives that the library panics.
func problem(spec string) (text string) {
	defer func() {
		if failure := recover(); failure != nil {
			text = fmt.Sprintf("invalid schedule format: %v", failure)
		}
	}()
	if _, err := cron.ParseStandard(spec); err != nil {
		return err.Error()
	}
	return ""
}
