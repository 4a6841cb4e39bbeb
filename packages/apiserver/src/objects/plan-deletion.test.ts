import type { KubernetesObject, ObjectMeta } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { configMapKind } from "@coxswain/kinds/core/config-map";
import { podKind } from "@coxswain/kinds/core/pod";
import { describe, expect, it } from "vitest";
import { type DeleteOptions, planDeletion } from "./plan-deletion.js";

const now = Date.parse("2030-01-01T00:00:00Z");
const at = (seconds: number): string => `${new Date(now + seconds * 1000).toISOString().slice(0, 19)}Z`;

interface Row {
  name: string;
  kind?: AnyKind;
  meta?: Partial<ObjectMeta>;
  spec?: object;
  status?: object;
  options?: DeleteOptions;
  want: string;
}

/** "remove", "pending", or what the mark contains: deletionTimestamp, grace, generation, finalizers. */
function summary({
  kind = podKind,
  meta = {},
  spec = { nodeName: "n", terminationGracePeriodSeconds: 30 },
  status = {},
  options = {},
}: Row): string {
  const object = { metadata: { name: "a", uid: "u", resourceVersion: "7", ...meta }, spec, status } as KubernetesObject;
  const plan = planDeletion(kind, object, options, now);
  if (plan.kind !== "mark") return plan.kind;
  const { deletionTimestamp, deletionGracePeriodSeconds, generation, finalizers } = plan.object.metadata;
  return [
    deletionTimestamp,
    `grace ${deletionGracePeriodSeconds}`,
    generation && `generation ${generation}`,
    finalizers?.join(),
  ]
    .filter(Boolean)
    .join(" ");
}

describe("what a delete request means", () => {
  const rows: Row[] = [
    { name: "a kind without grace goes at once", kind: configMapKind, want: "remove" },
    { name: "a pod on a node gets its own grace", want: `${at(30)} grace 30` },
    { name: "the client may shorten it", options: { gracePeriodSeconds: 5 }, want: `${at(5)} grace 5` },
    { name: "no grace at all: gone", options: { gracePeriodSeconds: 0 }, want: "remove" },
    { name: "a negative grace is one second", options: { gracePeriodSeconds: -3 }, want: `${at(1)} grace 1` },
    { name: "a pod on no node goes at once", spec: { terminationGracePeriodSeconds: 30 }, want: "remove" },
    { name: "a pod that has ended goes at once", status: { phase: "Succeeded" }, want: "remove" },
    {
      name: "the first mark counts as a new generation",
      meta: { generation: 2 },
      want: `${at(30)} grace 30 generation 3`,
    },
    {
      name: "a second request with as much grace changes nothing",
      meta: { deletionTimestamp: at(20), deletionGracePeriodSeconds: 30 },
      options: { gracePeriodSeconds: 30 },
      want: "pending",
    },
    {
      name: "a second request without a word changes nothing",
      meta: { deletionTimestamp: at(20), deletionGracePeriodSeconds: 30 },
      want: "pending",
    },
    {
      name: "a second request may shorten what is left",
      meta: { deletionTimestamp: at(20), deletionGracePeriodSeconds: 30, generation: 3 },
      options: { gracePeriodSeconds: 15 },
      want: `${at(5)} grace 15 generation 3`,
    },
    {
      name: "but never into the past: the kubelet makes the last step",
      meta: { deletionTimestamp: at(2), deletionGracePeriodSeconds: 30 },
      options: { gracePeriodSeconds: 5 },
      want: `${at(0)} grace 1`,
    },
    {
      name: "a second request with no grace ends it",
      meta: { deletionTimestamp: at(20), deletionGracePeriodSeconds: 30 },
      options: { gracePeriodSeconds: 0 },
      want: "remove",
    },
    {
      name: "a finalizer holds it, marked",
      kind: configMapKind,
      meta: { finalizers: ["a/b"], generation: 1 },
      want: `${at(0)} grace 0 generation 2 a/b`,
    },
    {
      name: "a finalizer holds a pod, too",
      meta: { finalizers: ["a/b"] },
      options: { gracePeriodSeconds: 0 },
      want: `${at(0)} grace 0 a/b`,
    },
    {
      name: "foreground adds the collector's finalizer",
      kind: configMapKind,
      options: { propagationPolicy: "Foreground" },
      want: `${at(0)} grace 0 foregroundDeletion`,
    },
    {
      name: "orphan likewise",
      kind: configMapKind,
      options: { propagationPolicy: "Orphan" },
      want: `${at(0)} grace 0 orphan`,
    },
    {
      name: "the old option for it",
      kind: configMapKind,
      options: { orphanDependents: true },
      want: `${at(0)} grace 0 orphan`,
    },
    {
      name: "background takes it away",
      kind: configMapKind,
      meta: { finalizers: ["orphan"] },
      options: { propagationPolicy: "Background" },
      want: "remove",
    },
    {
      name: "without a word the object's own decides",
      kind: configMapKind,
      meta: { finalizers: ["foregroundDeletion"] },
      want: `${at(0)} grace 0 foregroundDeletion`,
    },
  ];
  for (const row of rows) it(row.name, () => expect(summary(row)).toBe(row.want));

  it("a precondition that does not hold is a conflict", () => {
    expect(() => summary({ name: "", want: "", options: { preconditions: { uid: "other" } } })).toThrow(
      "the UID in the precondition (other) does not match the UID in record (u)",
    );
    expect(() => summary({ name: "", want: "", options: { preconditions: { resourceVersion: "6" } } })).toThrow(
      "the ResourceVersion in the precondition (6) does not match the ResourceVersion in record (7)",
    );
  });
});
