// A webhook server as operators have it, made with controller-runtime: it sets defaults of boats, validates them, and converts
// them between their two versions.
package main

import (
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

func run() error {
	// --kubeconfig is controller-runtime's own.
	port := flag.Int("port", 9443, "where the webhooks are served")
	certificates := flag.String("cert-dir", "", "holds tls.crt and tls.key")
	flag.Parse()
	log.SetLogger(zap.New())
	scheme := runtime.NewScheme()
	addBoats(scheme)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certificates}),
	})
	if err != nil {
		return err
	}
	if err := ctrl.NewWebhookManagedBy(manager, &Boat{}).WithDefaulter(shipyard{}).WithValidator(harbour{}).Complete(); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
