// Answers what upstream's scheduling framework makes of a problem, for the tests of packages/scheduler.
//
// Reads one question per line from standard input and writes one answer per line, in the same order:
//
//	{"op":"schedule","nodes":[…],"pods":[…],"pod":{…},"objects":{"services":[…],…},"config":"…"}
//	{"op":"config","config":"…"}
//
// "config" is a KubeSchedulerConfiguration in YAML; upstream's defaults where it is empty. `npm run tool -- programs` builds it into the
// cache, where the tests look for it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"sync"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

type question struct {
	Op string `json:"op"`
	problem
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(bytes.NewBuffer(nil))
	metrics.Register()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var waiting sync.WaitGroup
	answers := make(chan chan any, 64)
	waiting.Add(1)
	go func() {
		defer waiting.Done()
		for answer := range answers {
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(<-answer); err != nil {
				panic(err)
			}
			if len(answers) == 0 {
				out.Flush()
			}
		}
	}()
	// Most of a problem's time is spent waiting for informers.
	slots := make(chan struct{}, 16)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer := make(chan any, 1)
			answers <- answer
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				answer <- answerTo(line)
			}()
		}
		if err != nil {
			break
		}
	}
	close(answers)
	waiting.Wait()
}

func answerTo(line []byte) any {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return map[string]string{"failure": err.Error()}
	}
	switch asked.Op {
	case "schedule":
		solved, err := solve(&asked.problem)
		if err != nil {
			return map[string]string{"failure": err.Error()}
		}
		return solved
	case "config":
		return readConfig(asked.Config)
	}
	return map[string]string{"failure": "unknown op " + asked.Op}
}
