import { readFileSync } from "node:fs";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { writeAmounts } from "./amounts.js";
import { createPodEvaluator } from "./pods.js";
import { createResourceClaimEvaluator } from "./resource-claims.js";
import { serviceEvaluator } from "./services.js";
import type { Scope, UsageEvaluator } from "./usage-evaluator.js";
import { volumeClaimEvaluator } from "./volume-claims.js";

interface Row {
  name: string;
  usage: Record<string, string>;
  scopes: string[];
  problem?: string;
}
const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`testdata/${name}.json`, import.meta.url), "utf8")) as T;
const objects = read<{ name: string; resource: string; object: KubernetesObject }[]>("objects");
/** What upstream's evaluators return for them; made by tools/answers/quota. */
const rows = read<Row[]>("usage");

const gates = { enabled: () => true };
const pods = createPodEvaluator({ now: () => Date.parse("2026-01-01T00:00:00Z"), gates });
const nothingElse = { deviceClasses: () => [], deviceClass: () => undefined, claimsIn: () => [], pod: () => undefined };
const evaluators: Record<string, UsageEvaluator> = {
  pods,
  services: serviceEvaluator,
  persistentvolumeclaims: volumeClaimEvaluator,
  resourceclaims: createResourceClaimEvaluator({
    ...nothingElse,
    podUsage: pods.usage,
    gates,
  }),
};

const byClass = ["PriorityClass", "VolumeAttributesClass"];
const scopes = [
  ...["Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity", ...byClass].map(
    (scopeName) => ({ scopeName, operator: "Exists" }),
  ),
  ...byClass.flatMap((scopeName) => [
    { scopeName, operator: "DoesNotExist" },
    { scopeName, operator: "In", values: ["gold", "silver"] },
    { scopeName, operator: "NotIn", values: ["gold", "silver"] },
  ]),
] as Scope[];

describe("what objects use, and which scopes they are in, as upstream counts", () => {
  for (const [i, { name, resource, object }] of objects.entries()) {
    it(name, () => {
      const evaluator = evaluators[resource] as UsageEvaluator;
      const status = (object as { status?: object }).status;
      const full = { ...object, ...(resource === "pods" && { status: status ?? {} }) };
      const problem = evaluator.problem?.(
        new Set(["cpu", "requests.memory", "limits.cpu", "pods", "requests.storage"]),
        full,
      );
      expect({
        name,
        usage: writeAmounts(evaluator.usage(full)),
        scopes: scopes
          .filter((scope) => evaluator.isInScope?.(scope, full))
          .map(({ scopeName, operator }) => `${scopeName} ${operator}`)
          .sort(),
        ...(problem !== undefined && { problem }),
      }).toEqual(rows[i]);
    });
  }
});

describe("devices that pods ask for as extended resources", () => {
  const gpu = { metadata: { name: "gpu" }, spec: { extendedResourceName: "example.com/gpu" } };
  const owner = {
    metadata: { name: "p", namespace: "n", uid: "u" },
    spec: { containers: [{ name: "c", resources: { requests: { "example.com/gpu": "2" } } }] },
    status: {},
  };
  const claim = (owned: boolean) =>
    ({
      metadata: {
        name: "x",
        namespace: "n",
        creationTimestamp: "2026-01-01T00:00:00Z",
        ...(owned && {
          annotations: { "resource.kubernetes.io/extended-resource-claim": "true" },
          ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }],
        }),
      },
      spec: {
        devices: {
          requests: [{ name: "r", exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count: 3 } }],
        },
      },
    }) as unknown as KubernetesObject;
  const evaluator = createResourceClaimEvaluator({
    deviceClasses: () => [gpu],
    deviceClass: (name) => (name === "gpu" ? gpu : undefined),
    claimsIn: () => [],
    pod: (namespace, name) => (namespace === "n" && name === "p" ? owner : undefined),
    podUsage: pods.usage,
    gates,
  });
  const devices = {
    "count/resourceclaims.resource.k8s.io": "1",
    "gpu.deviceclass.resource.k8s.io/devices": "3",
    "requests.deviceclass.resource.kubernetes.io/gpu": "3",
  };

  it("count under both names", () =>
    expect(writeAmounts(evaluator.usage(claim(false)))).toEqual({ ...devices, "requests.example.com/gpu": "3" }));
  it("but what the pod is charged with already only once", () =>
    expect(writeAmounts(evaluator.usage(claim(true)))).toEqual({ ...devices, "requests.example.com/gpu": "1" }));
  it("and a quota on them is about claims too", () =>
    expect(
      [
        "requests.example.com/gpu",
        "requests.deviceclass.resource.kubernetes.io/gpu",
        "requests.example.com/other",
        "gpu.deviceclass.resource.k8s.io/devices",
      ].map((name) => evaluator.counts(name)),
    ).toEqual([true, true, false, true]));
});
