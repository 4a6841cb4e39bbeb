import type { Event } from "@coxswain/api/events/v1";
import type { Client } from "@coxswain/client";
import { createEventSink, createSeriesEventBroadcaster } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";

/** What the proxy reports in the API, as kube-proxy does. */
export interface ProxyEvents {
  started(): void;
  healthCheckFailed(about: { service: string; port: number; nodeName: string; error: unknown }): void;
  stop(): Promise<void>;
}

export function createProxyEvents(
  runtime: Runtime,
  { client, nodeName }: { client: Client; nodeName: string },
): ProxyEvents {
  const broadcaster = createSeriesEventBroadcaster({
    sink: createEventSink<Event>((namespace) => client.events.v1.events(namespace)),
    onError: (error) => runtime.log.debug("an event is not recorded", { error }),
    runtime,
  });
  const recorder = broadcaster.recorder({
    reportingController: "kube-proxy",
    reportingInstance: `kube-proxy-${nodeName}`,
  });
  return {
    started: () =>
      recorder.event(
        { apiVersion: "v1", kind: "Node", name: nodeName },
        { type: "Normal", reason: "Starting", action: "StartKubeProxy", note: "" },
      ),
    healthCheckFailed({ service, port, nodeName, error }) {
      const [namespace = "", name = ""] = service.split("/");
      const note = `node ${nodeName} failed to start healthcheck "${service}" on port ${port}: ${(error as Error).message}`;
      runtime.log.error("a health check cannot be served", { service, port, error });
      recorder.event(
        { apiVersion: "v1", kind: "Service", namespace, name },
        { type: "Warning", reason: "FailedToStartServiceHealthcheck", action: "Listen", note },
      );
    },
    stop: () => broadcaster.stop(),
  };
}
