// Command informer-sync measures a client-go shared informer: how long its first sync of the pods of one namespace takes until its
// handler has seen all of them, how much processor time, and how much memory the process then has more. Prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// processorTime is what this process has used so far, in user and kernel mode.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// residentBytes is measured after a collection that returns free memory to the system, as the other programs of the bench do.
func residentBytes() int {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		panic(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		panic(err)
	}
	return pages * os.Getpagesize()
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the server")
	namespace := flag.String("namespace", "", "where the pods are")
	want := flag.Int64("want", 0, "how many there are")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		panic(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	ctx := context.Background()
	before := residentBytes()
	beganAt, used := time.Now(), processorTime()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(*namespace))
	informer := factory.Core().V1().Pods().Informer()
	var added atomic.Int64
	handler := cache.ResourceEventHandlerFuncs{AddFunc: func(any) { added.Add(1) }}
	registration, err := informer.AddEventHandler(handler)
	if err != nil {
		panic(err)
	}
	go informer.RunWithContext(ctx)
	// WaitForCacheSync looks every 100 ms, which would be part of the figure.
	for !registration.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	syncMs, cpuMs := time.Since(beganAt), processorTime()-used
	if added.Load() != *want {
		panic(fmt.Sprintf("the informer has %d objects instead of %d", added.Load(), *want))
	}
	held := residentBytes() - before
	runtime.KeepAlive(informer)
	text, err := json.Marshal(map[string]float64{
		"syncMs":    float64(syncMs.Microseconds()) / 1000,
		"syncCpuMs": float64(cpuMs.Microseconds()) / 1000,
		"heldBytes": float64(held),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
