import type { ConfigMap, Pod } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { garbageCollectorController } from "../garbage-collector/controller.js";
import { namespaceController } from "../namespace/controller.js";
import { podGarbageCollectorController } from "../pod-garbage-collector/controller.js";
import { resourceQuotaController } from "../resource-quota/controller.js";
import type { Scenario } from "./scenario.test.support.js";

const configMap = (client: Client, name: string, ...owners: readonly ConfigMap[]) =>
  client.core.v1.configmaps("default").create({
    metadata: {
      name,
      ownerReferences: owners.map(({ metadata }) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        name: metadata?.name ?? "",
        uid: metadata?.uid ?? "",
        blockOwnerDeletion: true,
      })),
    },
  });

/** An owner of three, one of which has another owner and one dependents of its own. */
const family: Scenario["steps"][number] = async ({ client }) => {
  const [owner, other] = [await configMap(client, "owner"), await configMap(client, "other")];
  const child = await configMap(client, "child", owner);
  await configMap(client, "shared", owner, other);
  await configMap(client, "single", owner);
  for (const name of ["grandchild-a", "grandchild-b"]) await configMap(client, name, child);
};

const containers = [{ name: "c", image: "i", resources: { requests: { cpu: "200m" } } }];
const pod = (
  client: Client,
  name: string,
  members: { nodeName?: string; finalizers?: string[]; namespace?: string } = {},
) =>
  client.core.v1.pods(members.namespace ?? "default").create({
    metadata: { name, ...(members.finalizers && { finalizers: members.finalizers }) },
    spec: { containers, ...(members.nodeName && { nodeName: members.nodeName }) },
  });
const setPhase = (client: Client, name: string, phase: "Succeeded" | "Running") =>
  client.core.v1
    .pods("default")
    .subresource<Pod>("status")
    .patch(name, { merge: { status: { phase } } });

const collections = (["Background", "Foreground", "Orphan"] as const).map(
  (propagationPolicy): Scenario => ({
    name: `a deletion with the policy ${propagationPolicy}`,
    controllers: [garbageCollectorController],
    steps: [family, ({ client }) => client.core.v1.configmaps("default").delete("owner", { propagationPolicy })],
  }),
);

export const deletionScenarios: readonly Scenario[] = [
  ...collections,
  {
    name: "deleted namespaces, one of which a finalizer keeps for a while",
    controllers: [namespaceController],
    passMs: 40_000,
    // As the controller that the finalizer belongs to does it.
    async others({ client }) {
      for (const { metadata } of (await client.core.v1.configmaps("kept").list()).items)
        if (metadata?.deletionTimestamp)
          await client.core.v1
            .configmaps("kept")
            .patch(metadata.name ?? "", { merge: { metadata: { finalizers: null } } });
    },
    steps: [
      async ({ client }) => {
        for (const name of ["shop", "kept"]) {
          await client.core.v1.namespaces().create({ metadata: { name } });
          await client.core.v1.configmaps(name).create({ metadata: { name: "c" } });
          await client.core.v1.secrets(name).create({ metadata: { name: "s" } });
          await pod(client, "p", { namespace: name });
        }
        await client.core.v1.configmaps("kept").create({ metadata: { name: "f", finalizers: ["example.com/keep"] } });
      },
      async ({ client }) => {
        for (const name of ["shop", "kept"]) await client.core.v1.namespaces().delete(name);
      },
    ],
  },
  {
    name: "quotas of what comes and goes",
    controllers: [resourceQuotaController],
    steps: [
      async ({ client }) => {
        await pod(client, "a");
        for (const [name, hard] of [
          ["compute", { pods: "5", "requests.cpu": "2" }],
          ["objects", { configmaps: "9", "count/deployments.apps": "2" }],
        ] as const)
          await client.core.v1.resourcequotas("default").create({ metadata: { name }, spec: { hard } });
      },
      async ({ client }) => {
        await pod(client, "b");
        await client.core.v1.configmaps("default").create({ metadata: { name: "c" } });
      },
      async ({ client }) => {
        await client.core.v1.pods("default").delete("a");
        await setPhase(client, "b", "Succeeded");
        await client.core.v1.configmaps("default").delete("c");
      },
    ],
  },
  {
    name: "pods of a node that is gone, and terminated pods",
    controllers: [podGarbageCollectorController],
    settings: { terminatedPodThreshold: 1 },
    passMs: 60_000,
    steps: [
      async ({ client, advance }) => {
        await client.core.v1.nodes().create({ metadata: { name: "n1" } });
        await pod(client, "lost", { nodeName: "n1" });
        await pod(client, "kept", { nodeName: "n1", finalizers: ["example.com/keep"] });
        for (const name of ["old", "older"]) {
          await pod(client, name);
          await setPhase(client, name, "Succeeded");
          await advance(1_000);
        }
      },
      ({ client }) => client.core.v1.nodes().delete("n1"),
    ],
  },
];
