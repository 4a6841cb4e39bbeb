package main

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Resource is one that can be listed and watched.
type Resource struct {
	schema.GroupVersionResource
	Kind       string
	Namespaced bool
}

var events, disconnects atomic.Int64

func discover(config *rest.Config, problems *Complaints) []Resource {
	client := must(discovery.NewDiscoveryClientForConfig(config))
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		problems.Add("discovery: %v", err)
	}
	var found []Resource
	for _, list := range lists {
		groupVersion := must(schema.ParseGroupVersion(list.GroupVersion))
		for _, one := range list.APIResources {
			verbs := strings.Join(one.Verbs, " ")
			if strings.Contains(one.Name, "/") || !strings.Contains(verbs, "list") || !strings.Contains(verbs, "watch") {
				continue
			}
			found = append(found, Resource{groupVersion.WithResource(one.Name), one.Kind, one.Namespaced})
		}
	}
	return found
}

// Informer is one informer on one resource.
type Informer struct {
	name     string
	flavour  string
	resource Resource
	shared   cache.SharedIndexInformer
	handler  cache.ResourceEventHandlerRegistration
}

func (i *Informer) waitForSync(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return cache.WaitForCacheSync(ctx.Done(), i.handler.HasSynced)
}

func startInformers(ctx context.Context, config, encoded *rest.Config, resources []Resource, problems *Complaints) []*Informer {
	dynamics := dynamicinformer.NewDynamicSharedInformerFactory(must(dynamic.NewForConfig(config)), 0)
	typed := informers.NewSharedInformerFactory(must(kubernetes.NewForConfig(encoded)), 0)
	metadatas := metadatainformer.NewSharedInformerFactory(must(metadata.NewForConfig(encoded)), 0)
	var all []*Informer
	for _, resource := range resources {
		add := func(flavour string, shared cache.SharedIndexInformer) {
			one := &Informer{flavour + " " + resource.String(), flavour, resource, shared, nil}
			one.listen(problems)
			all = append(all, one)
		}
		add("dynamic", dynamics.ForResource(resource.GroupVersionResource).Informer())
		add("metadata", metadatas.ForResource(resource.GroupVersionResource).Informer())
		// client-go has no types for custom resources, CustomResourceDefinitions and APIServices.
		if generic, err := typed.ForResource(resource.GroupVersionResource); err == nil {
			add("typed", generic.Informer())
		}
	}
	dynamics.Start(ctx.Done())
	typed.Start(ctx.Done())
	metadatas.Start(ctx.Done())
	return all
}

func (i *Informer) listen(problems *Complaints) {
	must(0, i.shared.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
		if isDisconnect(err.Error()) {
			disconnects.Add(1)
			return
		}
		problems.Add("%s: %v", i.name, err)
	}))
	i.handler = must(i.shared.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { events.Add(1) },
		UpdateFunc: func(before, after any) {
			events.Add(1)
			if version(after) < version(before) {
				problems.Add("%s: %s went back from %d to %d", i.name, must(cache.MetaNamespaceKeyFunc(after)), version(before), version(after))
			}
		},
		DeleteFunc: func(obj any) { events.Add(1) },
	}))
}

func version(obj any) int64 {
	number, _ := strconv.ParseInt(must(meta.Accessor(obj)).GetResourceVersion(), 10, 64)
	return number
}

// isDisconnect distinguishes the errors of a restarting server from those of a wrong answer.
func isDisconnect(text string) bool {
	for _, part := range []string{"connection refused", "connection reset", "EOF", "GOAWAY", "http2: client connection lost", "client connection force closed", "broken pipe", "server sent", "the server is currently unable", "shutting down", "too many requests"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

var everything = metav1.ListOptions{}
