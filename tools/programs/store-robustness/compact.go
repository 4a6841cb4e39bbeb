package main

import (
	"context"
	"math/rand"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/tests/v3/robustness/client"
	"go.etcd.io/etcd/tests/v3/robustness/traffic"
)

// beyond is a revision that no run reaches.
const beyond = 10_000_000

// compact forgets history as RunCompactLoop of etcd's traffic does, but only what has been read out of the store before; now and then it asks
// for what is compacted already, and for what is not there yet.
func compact(ctx context.Context, c *client.RecordingClient, compactable *atomic.Int64, finish <-chan struct{}) {
	var last int64 = 1
	ticker := time.NewTicker(compactionPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-finish:
			return
		case <-ticker.C:
		}
		upTo := compactable.Load()
		if upTo <= last {
			continue
		}
		revision := last + 1 + rand.Int63n(upTo-last)
		switch rand.Intn(6) {
		case 0:
			revision = last
		case 1:
			revision = beyond
		}
		requestCtx, cancel := context.WithTimeout(ctx, traffic.RequestTimeout)
		_, err := c.Compact(requestCtx, revision)
		cancel()
		if err == nil {
			last = revision
		}
	}
}
