import { programImages } from "./plan-program-images.js";

const metadata = (name: string) => ({ name, namespace: "default", labels: { app: name } });
const selectorOf = (name: string) => ({ matchLabels: { app: name } });
const service = (name: string, port: number) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: metadata(name),
  spec: { selector: { app: name }, ports: [{ port }] },
});
const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "200Mi" } } },
};

/** A StatefulSet with a claim of the default class at /data. */
const stateful = (name: string, container: object, podSecurity: object) => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: metadata(name),
  spec: {
    serviceName: name,
    selector: selectorOf(name),
    template: {
      metadata: { labels: { app: name } },
      spec: {
        securityContext: podSecurity,
        containers: [{ name, ...container, volumeMounts: [{ name: "data", mountPath: "/data" }] }],
      },
    },
    volumeClaimTemplates: [claim],
  },
});

const beginDatabase = [
  "set -e",
  "export PGDATA=/data/db",
  'if [ ! -s "$PGDATA/PG_VERSION" ]; then',
  "  initdb --auth=trust --no-locale --encoding=UTF8",
  '  echo "host all all all trust" >> "$PGDATA/pg_hba.conf"',
  "fi",
  "exec postgres -h '*' -k /tmp",
].join("\n");

export const page = "a page of a config map";

/** Objects of the story, with their services; `shell` is the pod that asks. */
export const objects: readonly object[] = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("page"), data: { "index.html": `${page}\n` } },
  service("web", 80),
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata("web"),
    spec: {
      replicas: 2,
      selector: selectorOf("web"),
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [
            {
              name: "nginx",
              image: programImages.nginx,
              readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 },
              volumeMounts: [{ name: "page", mountPath: "/var/www/html" }],
            },
          ],
          volumes: [{ name: "page", configMap: { name: "page" } }],
        },
      },
    },
  },
  service("cache", 6379),
  stateful(
    "cache",
    {
      image: programImages.redis,
      args: ["redis-server", "--dir", "/data", "--appendonly", "yes", "--protected-mode", "no"],
      readinessProbe: { exec: { command: ["redis-cli", "ping"] }, periodSeconds: 2, timeoutSeconds: 10 },
    },
    { runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
  ),
  service("database", 5432),
  stateful(
    "database",
    {
      image: programImages.postgres,
      command: ["sh", "-c", beginDatabase],
      readinessProbe: { exec: { command: ["pg_isready", "-h", "127.0.0.1"] }, periodSeconds: 2, timeoutSeconds: 10 },
    },
    {},
  ),
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata("shell"),
    spec: { containers: [{ name: "shell", image: programImages.postgres, command: ["sleep", "infinity"] }] },
  },
];
