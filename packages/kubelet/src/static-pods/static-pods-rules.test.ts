import type { Pod } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { mirrorOf, planMirror } from "./mirror-pod.js";
import { type Manifest, readManifest } from "./read-manifest.js";

const facts = { nodeName: "node-0", now: Date.UTC(2026, 0, 1) };
const manifest = (spec: string, more: Partial<Manifest> & { metadata?: string } = {}): Manifest => ({
  text: `apiVersion: v1\nkind: Pod\nmetadata: ${more.metadata ?? "{ name: web }"}\nspec: ${spec}`,
  source: "/etc/manifests/web.yaml",
  kind: "file",
  ...more,
});
const plain = "{ containers: [{ name: main, image: app }] }";
const read = (given: Manifest): Pod => readManifest(given, facts)[0] as Pod;

describe("a static pod", () => {
  it("is named for its node, tolerates what evicts, has defaults and a hash as its UID", () => {
    const { metadata, spec, status } = read(manifest(plain));
    expect(metadata).toMatchObject({
      name: "web-node-0",
      namespace: "default",
      uid: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(metadata?.annotations).toEqual({
      "kubernetes.io/config.hash": metadata?.uid,
      "kubernetes.io/config.seen": "2026-01-01T00:00:00.000Z",
      "kubernetes.io/config.source": "file",
    });
    expect(spec).toMatchObject({
      nodeName: "node-0",
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      tolerations: [{ operator: "Exists", effect: "NoExecute" }],
    });
    expect(status).toEqual({ phase: "Pending" });
  });
  it("from a URL does not tolerate more, and may be one of a list", () => {
    const text = JSON.stringify({
      apiVersion: "v1",
      kind: "PodList",
      items: ["a", "b"].map((name) => ({ metadata: { name }, spec: { containers: [{ name: "main", image: "app" }] } })),
    });
    const pods = readManifest({ text, source: "http://manifests", kind: "http" }, facts);
    expect(pods.map(({ metadata }) => metadata?.name)).toEqual(["a-node-0", "b-node-0"]);
    expect(pods[0]?.spec?.tolerations).toBeUndefined();
  });
  it("is another one when its manifest, its place or its node differs", () => {
    const uids = [
      read(manifest(plain)),
      read(manifest("{ containers: [{ name: main, image: other }] }")),
      read(manifest(plain, { source: "/elsewhere.yaml" })),
      readManifest(manifest(plain), { ...facts, nodeName: "node-1" })[0],
    ].map((pod) => pod?.metadata?.uid);
    expect(new Set(uids).size).toBe(4);
    expect(read(manifest(plain)).metadata?.uid).toBe(uids[0]);
  });
});

const refused: { name: string; given: Manifest; message: string }[] = [
  {
    name: "other kinds",
    given: { text: "kind: Deployment", source: "/m/d.yaml", kind: "file" },
    message: "/m/d.yaml: couldn't parse as pod(found Deployment), please check config file",
  },
  {
    name: "pods without a name",
    given: manifest(plain, { metadata: "{}" }),
    message: "invalid pod: name is needed for the pod",
  },
  {
    name: "pods that are not valid",
    given: manifest("{ containers: [{ name: main }] }"),
    message: "invalid pod: [spec.containers[0].image: Required value]",
  },
  {
    name: "service accounts",
    given: manifest("{ serviceAccountName: x, containers: [{ name: main, image: app }] }"),
    message: "static pods may not reference serviceaccounts",
  },
  {
    name: "secrets in variables",
    given: manifest("{ containers: [{ name: main, image: app, envFrom: [{ secretRef: { name: x } }] }] }"),
    message: "static pods may not reference secrets",
  },
  {
    name: "config maps in projected volumes",
    given: manifest(
      "{ volumes: [{ name: v, projected: { sources: [{ configMap: { name: x } }] } }], containers: [{ name: main, image: app }] }",
    ),
    message: "static pods may not reference configmaps (via projected volumes)",
  },
];
describe("manifests are refused for", () => {
  for (const { name, given, message } of refused) it(name, () => expect(() => read(given)).toThrow(message));
});

describe("a mirror pod", () => {
  const pod = read(manifest(plain));
  const node = { name: "node-0", uid: "u" };
  const mirror: Pod = { ...mirrorOf(pod, node), metadata: { ...mirrorOf(pod, node).metadata, uid: "own" } };
  const deleted: Pod = { ...mirror, metadata: { ...mirror.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const other = read(manifest("{ containers: [{ name: main, image: other }] }"));

  it("is owned by its node and has the hash of its pod, but neither its UID nor its status", () => {
    expect(mirror.metadata).toMatchObject({
      name: "web-node-0",
      uid: "own",
      annotations: { "kubernetes.io/config.mirror": pod.metadata?.uid },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "node-0", uid: "u", controller: true }],
    });
    expect(mirrorOf(pod, node).metadata?.uid).toBeUndefined();
    expect(mirror.status).toBeUndefined();
  });

  const plans: { name: string; wanted?: Pod; mirror?: Pod; isOnNode?: boolean; plan: string }[] = [
    { name: "is created where there is none", wanted: pod, plan: "create" },
    { name: "is kept where it is of the manifest", wanted: pod, mirror, plan: "keep" },
    { name: "is deleted where somebody deletes it, to be created anew", wanted: pod, mirror: deleted, plan: "delete" },
    { name: "is deleted where the manifest changed", wanted: other, mirror, plan: "delete" },
    { name: "stays until its pod has ended", mirror, isOnNode: true, plan: "keep" },
    { name: "is deleted without a manifest", mirror, plan: "delete" },
  ];
  for (const { name, wanted, mirror: present, isOnNode = false, plan } of plans)
    it(name, () => expect(planMirror({ wanted, mirror: present, isOnNode })).toBe(plan));
});
