/** The objects of the bench, and where they go. Published with every table, because the figures mean nothing without. */
export const namespaces = { configMaps: "bench", pods: "bench-pods" } as const;

export const configMapsPath = `/api/v1/namespaces/${namespaces.configMaps}/configmaps`;
export const podsPath = `/api/v1/namespaces/${namespaces.pods}/pods`;
/** The ConfigMap that GETs ask for. */
export const targetName = "target";

export const storedConfigMaps = 23_000;
export const storedPods = 10_000;

export const workload = [
  "ConfigMaps of 1.5 KB made with generateName (connections x streams: 1x1, 4x4, 16x8); GETs of one of them (1x1, 4x16)",
  "system:masters comes by client certificate and is exempt from RBAC and from priority and fairness; a service account comes by a bound token and has a Role of four rules in the namespace",
  `${storedPods.toLocaleString("en-US")} pods of 3.4 KB (one container, 1,000 bytes of annotation, managedFields), listed whole by one client, the second time`,
  "1,000 watches with a label selector and no resourceVersion over 10 connections, then 100 matching creates of 1.5 KB",
  "500 requests of one service account in flight (20x25), and after a second another asks for 1,200 GETs one after the other, of which the last 1,000 count, or for as many as it gets in three seconds; nine times each, quiet and flooded by turns, of which the medians count; its client goes first where there are more clients than cores",
  `memory is resident memory five seconds after the start, and after the work with ${storedConfigMaps.toLocaleString("en-US")} ConfigMaps and the pods stored`,
  "GETs of a namespace one after the other beside LISTs of those pods one after the other, on a server that did nothing else; the event loop is probed inside it",
  "definitions one after the other, each with POSTs of an object until the first is taken; the 152 definitions of fifteen projects (`npm run tool -- crds`), and again in other groups, 500 in all, two POSTs at once; objects of 0.4 KB with twenty rules; ConfigMaps with and without a policy of two validations by turns",
  "HTTP/2 over TLS; the load comes from one other process on the same machine; nothing is pinned",
];

/** A ConfigMap whose JSON as sent is `bytes` long. */
export function configMap(options: { name?: string; labels?: Record<string, string>; bytes?: number }): string {
  const { name, labels, bytes = 1_500 } = options;
  const metadata = {
    ...(name === undefined ? { generateName: "bench-" } : { name }),
    ...(labels === undefined ? {} : { labels }),
  };
  const build = (padding: string): string =>
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { padding } });
  return build("x".repeat(bytes - build("").length));
}

export function pod(): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: "bench-",
      labels: { app: "bench", tier: "load" },
      annotations: { "bench.example/padding": "x".repeat(1_000) },
    },
    spec: {
      containers: [
        {
          name: "main",
          image: "registry.example/app:1",
          ports: [{ containerPort: 8080 }],
          env: [{ name: "MODE", value: "bench" }],
          readinessProbe: { httpGet: { path: "/ready", port: 8080 } },
          resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } },
        },
      ],
    },
  });
}
