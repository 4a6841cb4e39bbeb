// Load on an etcd through its own client, for the store bench. Prints one line of JSON.
//
//	etcd-load -endpoint 127.0.0.1:2379 -work writes -clients 16 -seconds 3
//
// Works: writes (creates with a compare on the key's revision, as an API server does), gets, range, fill.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

type result struct {
	Operations int     `json:"operations"`
	Seconds    float64 `json:"seconds"`
	P50        float64 `json:"p50Ms"`
	P99        float64 `json:"p99Ms"`
}

func main() {
	endpoint := flag.String("endpoint", "", "host:port of the etcd")
	work := flag.String("work", "writes", "writes, gets, range or fill")
	clients := flag.Int("clients", 1, "how many at a time")
	seconds := flag.Float64("seconds", 3, "how long")
	size := flag.Int("size", 1500, "bytes of a value")
	prefix := flag.String("prefix", "/registry/configmaps/bench/", "of the keys")
	count := flag.Int("count", 10000, "how many keys to fill or to choose from")
	flag.Parse()
	if err := run(*endpoint, *work, *clients, *seconds, *size, *prefix, *count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(endpoint, work string, clients int, seconds float64, size int, prefix string, count int) error {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, DialTimeout: 10 * time.Second, Logger: zap.NewNop(), MaxCallRecvMsgSize: 1 << 30})
	if err != nil {
		return err
	}
	defer client.Close()
	value := make([]byte, size)
	rand.Read(value)
	text := string(value)
	ctx := context.Background()
	create := func(key string) error {
		answer, err := client.Txn(ctx).If(clientv3.Compare(clientv3.ModRevision(key), "=", 0)).Then(clientv3.OpPut(key, text)).Else(clientv3.OpGet(key)).Commit()
		if err == nil && !answer.Succeeded {
			err = fmt.Errorf("%s is there already", key)
		}
		return err
	}
	numbered := func(i int) string { return fmt.Sprintf("%s%06d", prefix, i) }
	switch work {
	case "fill":
		return fill(clients, count, func(i int) error { return create(numbered(i)) })
	case "gets":
		return measure(clients, seconds, func(int, int) error {
			_, err := client.Get(ctx, numbered(rand.Intn(count)))
			return err
		})
	case "range":
		return measure(clients, seconds, func(int, int) error {
			answer, err := client.Get(ctx, prefix, clientv3.WithPrefix())
			if err == nil && len(answer.Kvs) != count {
				err = fmt.Errorf("%d keys instead of %d", len(answer.Kvs), count)
			}
			return err
		})
	}
	stamp := time.Now().UnixNano()
	return measure(clients, seconds, func(client, i int) error { return create(fmt.Sprintf("/registry/writes/%d/%d-%d", stamp, client, i)) })
}

func fill(clients, count int, create func(int) error) error {
	return together(clients, func(client int) error {
		for i := client; i < count; i += clients {
			if err := create(i); err != nil {
				return err
			}
		}
		return nil
	})
}

func measure(clients int, seconds float64, do func(client, i int) error) error {
	times := make([][]float64, clients)
	start := time.Now()
	end := start.Add(time.Duration(seconds * float64(time.Second)))
	err := together(clients, func(client int) error {
		for i := 0; ; i++ {
			before := time.Now()
			if before.After(end) {
				return nil
			}
			if err := do(client, i); err != nil {
				return err
			}
			times[client] = append(times[client], float64(time.Since(before).Microseconds())/1000)
		}
	})
	if err != nil {
		return err
	}
	var all []float64
	for _, mine := range times {
		all = append(all, mine...)
	}
	sort.Float64s(all)
	took := time.Since(start).Seconds()
	return json.NewEncoder(os.Stdout).Encode(result{len(all), took, all[len(all)/2], all[len(all)*99/100]})
}

func together(clients int, do func(client int) error) error {
	var group sync.WaitGroup
	errs := make([]error, clients)
	for client := range clients {
		group.Add(1)
		go func() {
			defer group.Done()
			errs[client] = do(client)
		}()
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
