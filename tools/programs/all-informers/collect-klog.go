package main

import (
	"flag"
	"strings"

	"k8s.io/klog/v2"
)

type klogEar struct{ problems *Complaints }

func (e klogEar) Write(text []byte) (int, error) {
	line := strings.TrimSpace(string(text))
	if line != "" && strings.Contains("WEF", line[:1]) && !isDisconnect(line) {
		// The head of a line is its level, time and thread; without it the same line is the same text.
		if _, after, found := strings.Cut(line, "] "); found {
			line = after
		}
		e.problems.Add("client-go logs: %s", line)
	}
	return len(text), nil
}

// collectKlog makes a problem of every warning and error that client-go logs.
func collectKlog(problems *Complaints) {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	must(0, flags.Set("logtostderr", "false"))
	must(0, flags.Set("stderrthreshold", "FATAL"))
	must(0, flags.Set("one_output", "true"))
	klog.SetOutput(klogEar{problems})
}
