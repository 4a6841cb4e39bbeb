// Command informer runs a client-go shared informer on one resource and prints what it sees, one JSON object a line.
// On a line of standard input it prints its whole cache. Tests hold it against the server's content.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var printing sync.Mutex

type line struct {
	Type            string            `json:"type"`
	Name            string            `json:"name,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Objects         map[string]string `json:"objects,omitempty"`
	Message         string            `json:"message,omitempty"`
}

func print(l line) {
	printing.Lock()
	defer printing.Unlock()
	text, _ := json.Marshal(l)
	fmt.Println(string(text))
}

func sayObject(kind string, obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	object := obj.(metav1.Object)
	print(line{Type: kind, Name: object.GetNamespace() + "/" + object.GetName(), ResourceVersion: object.GetResourceVersion()})
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "")
	contentType := flag.String("content-type", "application/json", "")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		panic(err)
	}
	config.ContentType = *contentType
	config.AcceptContentTypes = *contentType + ",application/json"
	client := kubernetes.NewForConfigOrDie(config)
	informer := informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().Informer()
	informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { print(line{Type: "error", Message: err.Error()}) })
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { sayObject("add", obj) },
		UpdateFunc: func(_, obj any) { sayObject("update", obj) },
		DeleteFunc: func(obj any) { sayObject("delete", obj) },
	})
	stop := make(chan struct{})
	go informer.Run(stop)
	cache.WaitForCacheSync(stop, informer.HasSynced)
	print(line{Type: "synced"})
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		objects := map[string]string{}
		keys := informer.GetStore().ListKeys()
		sort.Strings(keys)
		for _, key := range keys {
			if obj, exists, _ := informer.GetStore().GetByKey(key); exists {
				objects[key] = obj.(metav1.Object).GetResourceVersion()
			}
		}
		print(line{Type: "cache", Objects: objects})
	}
	close(stop)
}
