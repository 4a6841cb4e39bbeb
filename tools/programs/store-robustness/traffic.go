package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/tests/v3/robustness/client"
	"go.etcd.io/etcd/tests/v3/robustness/identity"
	"go.etcd.io/etcd/tests/v3/robustness/report"
	"go.etcd.io/etcd/tests/v3/robustness/traffic"
	"go.uber.org/zap"
	"golang.org/x/time/rate"
)

const (
	writers          = 8
	watchers         = 4
	compactionPeriod = 150 * time.Millisecond
	lastWriteTimeout = 20 * time.Second
)

type trafficOptions struct {
	endpoint string
	traffic  traffic.Traffic
	rate     int
	report   string
}

// sendTraffic is what TestRobustness of etcd does around its clients; the faults happen elsewhere.
func sendTraffic(logger *zap.Logger, options trafficOptions) error {
	// etcd's 200 ms are for a machine of its own.
	traffic.RequestTimeout = 600 * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	endpoints := []string{options.endpoint}
	start, ids := time.Now(), identity.NewIDProvider()
	clients, observers := client.NewSet(ids, start), client.NewSet(ids, start)
	defer clients.Close()
	defer observers.Close()
	if err := traffic.CheckEmptyDatabaseAtStart(ctx, logger, endpoints, clients); err != nil {
		return err
	}
	lastRevision := make(chan int64, 1)
	observed := make(chan error, 1)
	go func() {
		observed <- client.CollectClusterWatchEvents(ctx, client.CollectClusterWatchEventsParam{
			Lg: logger, Endpoints: endpoints, MaxRevisionChan: lastRevision, ClientSet: observers,
		})
	}()
	finish := make(chan struct{})
	wg := &sync.WaitGroup{}
	compactable := &atomic.Int64{}
	if err := startClients(ctx, wg, logger, options, endpoints, clients, compactable, finish); err != nil {
		return err
	}
	fmt.Println("started")
	obey(compactable)
	close(finish)
	wg.Wait()
	if err := writeLast(ctx, endpoints, clients); err != nil {
		return err
	}
	reports := clients.Reports()
	lastRevision <- report.OperationsMaxRevision(reports)
	close(lastRevision)
	if err := <-observed; err != nil {
		return fmt.Errorf("the watch of everything: %w", err)
	}
	all := slices.Concat(reports, observers.Reports())
	saved, err := report.NewTestReport(logger, options.report, nil, nil)
	if err != nil {
		return err
	}
	saved.SetClientReports(all)
	return saved.SaveEtcdData()
}

// obey reads what to do: "compact N", that what is before N may be compacted from now on, and "finish".
func obey(compactable *atomic.Int64) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if word, found := strings.CutPrefix(lines.Text(), "compact "); found {
			revision, _ := strconv.ParseInt(word, 10, 64)
			compactable.Store(revision)
		} else if lines.Text() == "finish" {
			return
		}
	}
}

func startClients(ctx context.Context, wg *sync.WaitGroup, logger *zap.Logger, options trafficOptions, endpoints []string, clients *client.ClientSet, compactable *atomic.Int64, finish <-chan struct{}) error {
	limiter := rate.NewLimiter(rate.Limit(options.rate), options.rate)
	keys, storage := traffic.NewKeyStore(10, "key"), traffic.NewKubernetesStorage()
	profile := traffic.KeyValue{ClusterClientCount: writers, MaxNonUniqueRequestConcurrency: 3}
	err := traffic.SimulateKeyValueTraffic(ctx, wg, &profile, endpoints, clients, options.traffic, traffic.RunTrafficLoopParam{
		QPSLimiter:                         limiter,
		IDs:                                clients.IdentityProvider(),
		LeaseIDStorage:                     identity.NewLeaseIDStorage(),
		NonUniqueRequestConcurrencyLimiter: traffic.NewConcurrencyLimiter(profile.MaxNonUniqueRequestConcurrency),
		KeyStore:                           keys,
		Storage:                            storage,
		Finish:                             finish,
	})
	if err != nil {
		return err
	}
	watch := traffic.Watch{ClusterClientCount: watchers, RevisionOffsetRange: traffic.Range{Min: -100, Max: 100}}
	err = traffic.SimulateWatchTraffic(ctx, wg, &watch, endpoints, clients, options.traffic, traffic.RunWatchLoopParam{
		Config: watch, QPSLimiter: limiter, KeyStore: keys, Storage: storage, Finish: finish, Logger: logger,
	})
	if err != nil {
		return err
	}
	compactor, err := clients.NewClient(endpoints)
	if err != nil {
		return err
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer compactor.Close()
		compact(ctx, compactor, compactable, finish)
	}()
	return nil
}

// writeLast is the write that etcd's validators want to succeed at the end.
func writeLast(ctx context.Context, endpoints []string, clients *client.ClientSet) error {
	last, err := clients.NewClient(endpoints)
	if err != nil {
		return err
	}
	defer last.Close()
	end := time.Now().Add(lastWriteTimeout)
	for time.Now().Before(end) {
		putCtx, cancel := context.WithTimeout(ctx, 2*time.Second)
		_, err = last.Put(putCtx, "tombstone", "true")
		cancel()
		if err == nil {
			return nil
		}
	}
	return errors.Join(errors.New("the last write did not succeed"), err)
}
