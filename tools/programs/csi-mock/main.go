// Serves upstream's CSI mock driver on a socket, and registers it with a kubelet as node-driver-registrar does. Each call of the
// Node service is a line on standard output: the method, the volume, the code of the answer.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/driver"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/mock/service"
)

type registrar struct {
	registration.UnimplementedRegistrationServer
	info *registration.PluginInfo
}

func (r registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return r.info, nil
}

func (r registrar) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	fmt.Printf("registered %t %s\n", status.PluginRegistered, status.Error)
	return &registration.RegistrationStatusResponse{}, nil
}

// logCall takes the delay before the driver acts, and once more before it answers: callers can be killed in both. With a delay, that a
// call began is a line, too.
func logCall(delay time.Duration) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		volume, ok := request.(interface{ GetVolumeId() string })
		if !ok || !strings.HasPrefix(info.FullMethod, "/csi.v1.Node/") {
			return handler(ctx, request)
		}
		if delay > 0 {
			fmt.Printf("began %s %s\n", filepath.Base(info.FullMethod), volume.GetVolumeId())
		}
		time.Sleep(delay)
		answer, err := handler(ctx, request)
		fmt.Printf("%s %s %s\n", filepath.Base(info.FullMethod), volume.GetVolumeId(), status.Code(err))
		time.Sleep(delay)
		return answer, err
	}
}

func listen(path string) net.Listener {
	_ = os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err != nil {
		panic(err)
	}
	return listener
}

func main() {
	name := flag.String("name", "mock.csi.example.com", "the driver's name")
	rootDir := flag.String("root-dir", "/var/lib/kubelet", "the kubelet's")
	withoutAttach := flag.Bool("without-attach", false, "its volumes are not attached")
	limit := flag.Int64("attach-limit", 0, "volumes per node")
	delay := flag.Duration("delay", 0, "of calls that concern a volume on the node, before and after the driver acts")
	flag.Parse()

	folder := filepath.Join(*rootDir, "plugins", *name)
	if err := os.MkdirAll(folder, 0o750); err != nil {
		panic(err)
	}
	endpoint := filepath.Join(folder, "csi.sock")
	mock := service.New(service.Config{DriverName: *name, DisableAttach: *withoutAttach, AttachLimit: *limit, NodeExpansionRequired: true})
	server := driver.NewCSIDriver(&driver.CSIDriverServers{Controller: mock, Identity: mock, Node: mock})
	if err := server.Start(listen(endpoint), logCall(*delay)); err != nil {
		panic(err)
	}
	info := &registration.PluginInfo{Type: registration.CSIPlugin, Name: *name, Endpoint: endpoint, SupportedVersions: []string{"1.0.0"}}
	registry := grpc.NewServer()
	registration.RegisterRegistrationServer(registry, registrar{info: info})
	socket := filepath.Join(*rootDir, "plugins_registry", *name+"-reg.sock")
	go func() { _ = registry.Serve(listen(socket)) }()
	fmt.Println("ready")

	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
	registry.Stop()
	server.Stop()
	_ = os.Remove(socket)
}
