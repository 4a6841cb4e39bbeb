import { seed } from "../fuzz-target.js";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web",
    namespace: "default",
    labels: { app: "web", __proto__x: "1" },
    annotations: { note: 'a "quoted" text\n\u00e9\u{1f600}' },
    creationTimestamp: "2026-01-02T03:04:05Z",
    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u", controller: true }],
    managedFields: [{ manager: "m", operation: "Update", fieldsType: "FieldsV1", fieldsV1: { "f:spec": { ".": {} } } }],
  },
  spec: {
    containers: [
      {
        name: "main",
        image: "registry.example/app:1",
        ports: [{ containerPort: 80, protocol: "TCP" }],
        resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "1.5" } },
        env: [{ name: "A", value: "$(B)" }],
        livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
      },
    ],
    volumes: [{ name: "v", configMap: { name: "c", items: [{ key: "k", path: "p" }], defaultMode: 420 } }],
    tolerations: [{ key: "k", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 30 }],
    priority: -1,
  },
  status: { startTime: "2026-01-02T03:04:05Z", conditions: [{ type: "Ready", status: "True", lastProbeTime: null }] },
};

/** Objects of a few shapes, as JSON. */
export const objectSeeds: readonly Uint8Array[] = [
  seed(JSON.stringify(pod)),
  seed('{"a":1,"b":[true,false,null],"c":{"d":"e"},"f":1.5e3,"g":-0,"h":9007199254740993}'),
  seed('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[]}}'),
  seed('[["",{}],"\\u0000\\ud83d\\ude00\\"\\\\\\/"]'),
];

export const objectWords: readonly string[] = [
  '"metadata":',
  '"spec":',
  '"__proto__":',
  '"constructor":',
  '"name":"a"',
  "null",
  "true",
  "{}",
  "[]",
  '""',
  "\\u0000",
  "\\ud800",
  "1e400",
  "-0",
  "0.1",
  "12345678901234567890",
  '"1Gi"',
  '"2001-01-01T00:00:00Z"',
  ",",
  ":",
  "[[[[[[[[",
  '{"a":{"a":',
];
