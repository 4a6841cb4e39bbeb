import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedProgram, startEtcd, startKubeApiserver } from "@coxswain/tools/upstream";
import { afterAll, expect, it } from "vitest";
import { type ApiClient, type ApiObject, connectApi } from "../testing/api-client.js";

const possible = (await Promise.all([cachedProgram("etcd"), cachedProgram("kube-apiserver")])).every(
  (program) => program !== undefined,
);
const need = {
  found: possible,
  missing: "etcd and kube-apiserver (npm run tool -- programs, with Go)",
  timeout: 180_000,
};

type List = { readonly items: readonly ApiObject[] };
const inDefault = (group: string, resource: string): string => `${group}/namespaces/default/${resource}`;
const container = {
  name: "main",
  image: "registry.example/app:1",
  ports: [{ containerPort: 80 }],
  resources: { requests: { cpu: "100m", memory: "64Mi" } },
};
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [container] } };
const selector = { matchLabels: { app: "web" } };

/** Objects of many shapes: numbers, quantities, bytes, times, maps, choices of a string or a number, other versions, schemas. */
const made: readonly { readonly path: string; readonly object: object }[] = [
  {
    path: inDefault("/api/v1", "configmaps"),
    object: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", labels: { __proto__: "x", app: "web" } },
      data: { k: "ü" },
      binaryData: { b: "AP8=" },
    },
  },
  {
    path: inDefault("/api/v1", "secrets"),
    object: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, stringData: { k: "v" } },
  },
  {
    path: inDefault("/api/v1", "pods"),
    object: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: template.spec },
  },
  {
    path: inDefault("/api/v1", "services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "a" },
      spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] },
    },
  },
  {
    path: "/api/v1/nodes",
    object: {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1" },
      spec: { taints: [{ key: "k", effect: "NoSchedule" }] },
    },
  },
  {
    path: inDefault("/apis/apps/v1", "deployments"),
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
      spec: { replicas: 0, selector, template },
    },
  },
  {
    path: inDefault("/apis/batch/v1", "cronjobs"),
    object: {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "a" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    },
  },
  {
    path: inDefault("/apis/autoscaling/v1", "horizontalpodautoscalers"),
    object: {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "a" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 70,
      },
    },
  },
  {
    path: inDefault("/apis/coordination.k8s.io/v1", "leases"),
    object: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "a" },
      spec: { holderIdentity: "me", renewTime: "2024-01-01T00:00:00.123456Z" },
    },
  },
  {
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "a" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    },
  },
  {
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    object: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true, default: { a: 1 } },
                },
              },
            },
          },
        ],
      },
    },
  },
];

describeWith("the data of a real kube-apiserver", need, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-upstream-data-"));
  /** What runs; stopped in the end also when the test fails in the middle. */
  const running = new Set<{ stop(): Promise<unknown> }>();
  const keep = <T extends { stop(): Promise<unknown> }>(program: T): T => {
    running.add(program);
    return program;
  };
  const end = async <T>(program: { stop(): Promise<T> }): Promise<T> => {
    running.delete(program);
    return program.stop();
  };
  afterAll(async () => {
    for (const program of [...running].reverse()) await program.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Revisions and conditions that a server sets about itself aside. */
  const readAll = async (api: ApiClient): Promise<Map<string, unknown>> =>
    new Map(
      await Promise.all(
        made.map(
          async ({ path, object }) =>
            [path, await api.send("GET", `${path}/${(object as ApiObject).metadata.name}`)] as const,
        ),
      ),
    );

  it("is served as kube-apiserver serves it, can be written to, and is read by kube-apiserver again", async () => {
    mkdirSync(join(folder, "upstream"));
    const etcd = keep(await startEtcd({ folder, sync: false }));
    const before = keep(await startKubeApiserver({ folder: join(folder, "upstream"), etcdUrl: etcd.url }));
    const theirs = connectApi(before.kubeconfigFile);
    for (const { path, object } of made) await theirs.send("POST", path, object);
    const expected = await readAll(theirs);
    theirs.close();
    await end(before);

    const server = keep(await startCoxswain({ dataDir: join(folder, "data"), args: ["--etcd-servers", etcd.url] }));
    const ours = connectApi(server.kubeconfig);
    for (const [path, found] of await readAll(ours)) expect([path, found]).toEqual([path, expected.get(path)]);
    const configMaps = inDefault("/api/v1", "configmaps");
    expect(
      (await ours.send<List>("GET", `${configMaps}?labelSelector=app%3Dweb`)).items.map(
        ({ metadata }) => metadata.name,
      ),
    ).toEqual(["a"]);
    const changed = (await ours.send("PUT", `${configMaps}/a`, {
      ...(expected.get(configMaps) as object),
      data: { k: "ours" },
    })) as unknown as { data: object };
    expect(changed.data).toEqual({ k: "ours" });
    ours.close();
    expect(await end(server)).toBe(0);

    const again = keep(await startKubeApiserver({ folder: join(folder, "upstream"), etcdUrl: etcd.url }));
    const theirsAgain = connectApi(again.kubeconfigFile);
    expect(await theirsAgain.send("GET", `${configMaps}/a`)).toEqual(changed);
    theirsAgain.close();
  });
});
