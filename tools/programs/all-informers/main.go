// Command all-informers runs client-go informers on every resource that discovery lists: dynamic ones (JSON), typed ones
// and metadata ones (JSON or protobuf). It churns objects for a while, through restarts of the server if there are any,
// and then holds every cache against the server's content. It prints one JSON object a line; each problem is one.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Line is what is printed: "synced" once, "problem" for each thing that is wrong, "report" at the end.
type Line struct {
	Type        string `json:"type"`
	Message     string `json:"message,omitempty"`
	Informers   int    `json:"informers,omitempty"`
	Resources   int    `json:"resources,omitempty"`
	Objects     int    `json:"objects,omitempty"`
	Events      int64  `json:"events,omitempty"`
	Writes      int64  `json:"writes,omitempty"`
	Disconnects int64  `json:"disconnects,omitempty"`
	Complaints  int    `json:"problems"`
}

// Complaints are printed as they come; a thousand of one kind help nobody, so each text is printed once.
type Complaints struct {
	mutex sync.Mutex
	count int
	seen  map[string]bool
}

func (c *Complaints) Add(format string, args ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.count++
	text := fmt.Sprintf(format, args...)
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if len(c.seen) < 200 && !c.seen[text] {
		c.seen[text] = true
		print(Line{Type: "problem", Message: text})
	}
}

func (c *Complaints) Count() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.count
}

var printing sync.Mutex

func print(line Line) {
	printing.Lock()
	defer printing.Unlock()
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return value
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the server")
	contentType := flag.String("content-type", "application/vnd.kubernetes.protobuf", "what typed and metadata informers ask for")
	seconds := flag.Int("seconds", 10, "how long objects are churned")
	settle := flag.Int("settle", 60, "how many seconds caches may take to agree with the server afterwards")
	writers := flag.Int("writers", 4, "how many writers churn at once")
	flag.Parse()

	config := must(clientcmd.BuildConfigFromFlags("", *kubeconfig))
	config.QPS = -1
	encoded := rest.CopyConfig(config)
	encoded.ContentType = *contentType
	encoded.AcceptContentTypes = *contentType + ",application/json"

	problems := &Complaints{}
	collectKlog(problems)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	resources := discover(config, problems)
	all := startInformers(ctx, config, encoded, resources, problems)
	for _, one := range all {
		if !one.waitForSync(ctx, 60*time.Second) {
			problems.Add("%s: not synced after a minute", one.name)
		}
	}
	print(Line{Type: "synced", Informers: len(all), Resources: len(resources), Complaints: problems.Count()})

	client := must(dynamic.NewForConfig(config))
	writes := churn(ctx, client, resources, *writers, time.Duration(*seconds)*time.Second, problems)
	objects := compareUntilEqual(ctx, client, resources, all, time.Duration(*settle)*time.Second, problems)
	print(Line{Type: "report", Informers: len(all), Resources: len(resources), Objects: objects, Events: events.Load(), Writes: writes, Disconnects: disconnects.Load(), Complaints: problems.Count()})
	if problems.Count() > 0 {
		os.Exit(1)
	}
}
