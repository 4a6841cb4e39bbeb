import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { changedPaths } from "@coxswain/apimachinery/object";
import { startApiServer } from "@coxswain/apiserver";
import { createInProcessClients } from "@coxswain/cluster";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage";
import { describe, expect, it } from "vitest";
import { exportedObjects, fileName } from "./export-command.js";
import { withoutDefaults } from "./without-defaults.js";

const administrator = { name: "ann", groups: ["system:masters", "system:authenticated"] };

async function openServer() {
  const runtime = testRuntime(1);
  const server = await startApiServer({ store: createMemoryStore({ runtime }), runtime });
  const clientOf = createInProcessClients({ server, runtime, dropsManagedFields: false });
  return {
    server,
    client: clientOf(administrator, "kubectl"),
    controller: clientOf(administrator, "kube-controller-manager"),
  };
}

const labels = { app: "web" };
const written: KubernetesObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings", namespace: "shop" },
    data: { colour: "red" },
  } as never,
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "nginx", image: "nginx:1", ports: [{ containerPort: 80 }] }] },
      },
    },
  } as never,
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "shop" },
    spec: { ports: [{ port: 80 }], selector: labels },
  } as never,
];

describe("coxswain export", () => {
  it("writes what people wrote, and applying it gives an equal cluster", async () => {
    const first = await openServer();
    for (const object of written) await (await first.client.resourceOf(object)).create(object);
    // What controllers do is not in it.
    await first.controller.apps.v1.deployments("shop").patch("web", {
      merge: { metadata: { annotations: { "deployment.kubernetes.io/revision": "1" } } },
    });
    await first.controller.core.v1
      .configmaps("shop")
      .create({ metadata: { name: "kube-root-ca.crt" }, data: { ca: "x" } });
    const exported = await exportedObjects(first.client, { namespace: undefined, withSecrets: false });
    expect(exported).toEqual(written);
    const again = await exportedObjects(first.client, { namespace: undefined, withSecrets: false });
    expect(JSON.stringify(again)).toBe(JSON.stringify(exported));

    const second = await openServer();
    for (const object of exported) {
      const resource = await second.client.resourceOf(object);
      await resource.apply(object as never, { fieldManager: "kubectl", force: true });
    }
    for (const object of written) {
      const [one, other] = await Promise.all(
        [first, second].map(async ({ client }) => (await client.resourceOf(object)).get(object.metadata?.name ?? "")),
      );
      const differing = changedPaths(one, other).map(({ path }) => path);
      const own = /^metadata\.(uid|creationTimestamp|generation|annotations)\b|^spec\.clusterIPs?\b|^status\b/;
      expect(differing.filter((path) => !own.test(path))).toEqual([]);
    }
    await first.server.stop();
    await second.server.stop();
  });
});

describe("an object without its defaults", () => {
  const complete = (object: { spec?: { a?: number; deep?: { b?: number } } }): unknown => {
    object.spec ??= {};
    object.spec.a ??= 1;
    object.spec.deep ??= {};
    object.spec.deep.b ??= 2;
    return object;
  };
  const cases = [
    { name: "a default goes", object: { spec: { a: 1, c: 3 } }, want: { spec: { c: 3 } } },
    { name: "another value stays", object: { spec: { a: 5 } }, want: { spec: { a: 5 } } },
    { name: "what is empty then goes, too", object: { spec: { a: 2, deep: { b: 2 } } }, want: { spec: { a: 2 } } },
  ];
  for (const { name, object, want } of cases)
    it(name, () => expect(withoutDefaults(object as never, complete as never)).toEqual(want));
});

it("a default that is one only without another default goes, too", () => {
  const complete = (object: { spec?: { completions?: number; parallelism?: number } }): unknown => {
    object.spec ??= {};
    if (object.spec.parallelism === undefined) object.spec.completions ??= 1;
    object.spec.parallelism ??= 1;
    return object;
  };
  const job = { spec: { completions: 1, parallelism: 1 } };
  expect(withoutDefaults(job as never, complete as never)).toEqual({ spec: {} });
});

describe("the name of an exported file", () => {
  const cases = [
    { text: "role.rbac.authorization.k8s.io-a:b.yaml", want: "role.rbac.authorization.k8s.io-a%3Ab.yaml" },
    { text: "..", want: "%2E%2E" },
    { text: "../../etc", want: "..%2F..%2Fetc" },
  ];
  for (const { text, want } of cases) it(text, () => expect(fileName(text)).toBe(want));
});
