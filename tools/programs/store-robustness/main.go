// Command store-robustness puts etcd's own robustness tests to work on a store that speaks etcd's protocol.
//
//	store-robustness traffic --endpoint unix:///… --traffic kubernetes --seed 1 --report DIR
//
// sends one of etcd's kinds of traffic, records all requests, answers and watches, and ends when "finish" is read.
//
//	store-robustness validate --report DIR --log FILE --traffic kubernetes
//
// lets etcd's validators decide whether what was recorded is linearizable, and its watches are as etcd guarantees, given the log of what the
// store really wrote.
//
//go:debug randseednop=0
package main

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"time"

	"go.etcd.io/etcd/tests/v3/robustness/traffic"
	"go.uber.org/zap"
)

// kinds are etcd's, by the names that our tool gives them.
var kinds = map[string]traffic.Traffic{
	"puts":                     traffic.EtcdPut,
	"deletes":                  traffic.EtcdDelete,
	"leases":                   traffic.EtcdPutDeleteLease,
	"kubernetes":               traffic.Kubernetes,
	"kubernetes-create-delete": traffic.KubernetesCreateDelete,
}

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("traffic or validate?"))
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	endpoint := flags.String("endpoint", "", "where the store listens")
	name := flags.String("traffic", "kubernetes", "what is sent")
	seed := flags.Int64("seed", 1, "of what is chosen by chance")
	rate := flags.Int("rate", 200, "requests per second, at most")
	report := flags.String("report", "", "the folder of what is recorded")
	log := flags.String("log", "", "a file with what the store wrote")
	timeout := flags.Duration("timeout", 4*time.Minute, "how long the validators may search for an order of the requests")
	verbose := flags.Bool("verbose", false, "print what the validators log")
	_ = flags.Parse(os.Args[2:])
	kind, found := kinds[*name]
	if !found {
		fail(fmt.Errorf("there is no traffic %q", *name))
	}
	logger := zap.NewNop()
	if *verbose {
		logger, _ = zap.NewDevelopment()
	}
	var err error
	switch os.Args[1] {
	case "traffic":
		rand.Seed(*seed)
		err = sendTraffic(logger, trafficOptions{endpoint: *endpoint, traffic: kind, rate: *rate, report: *report})
	case "validate":
		err = validateRun(logger, kind, *report, *log, *timeout)
	default:
		err = fmt.Errorf("traffic or validate, not %q", os.Args[1])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
