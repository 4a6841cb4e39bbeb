import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { claim, referenceTo, volume } from "../volumes/volumes.test.support.js";
import { bestVolume, mismatchOf } from "./match-volume.js";

const sized = (name: string, storage: string, rest: PersistentVolume["spec"] = {}) =>
  volume(name, { spec: { capacity: { storage }, ...rest } });

describe("the best volume for a claim", () => {
  const rows: {
    name: string;
    spec?: PersistentVolumeClaim["spec"];
    volumes: PersistentVolume[];
    isDelayed?: boolean;
    best: string | undefined;
  }[] = [
    {
      name: "is the smallest that is large enough",
      volumes: [sized("l", "5Gi"), sized("s", "500Mi"), sized("m", "2Gi")],
      best: "m",
    },
    {
      name: "has as few access modes as will do, also when it is larger",
      volumes: [sized("many", "1Gi", { accessModes: ["ReadWriteOnce", "ReadWriteMany"] }), sized("one", "9Gi")],
      best: "one",
    },
    {
      name: "has all modes that are asked for",
      spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] },
      volumes: [
        sized("a", "1Gi"),
        sized("b", "1Gi", { accessModes: ["ReadOnlyMany", "ReadWriteOnce", "ReadWriteMany"] }),
      ],
      best: "b",
    },
    {
      name: "is of the claim's class",
      spec: { storageClassName: "gold" },
      volumes: [sized("a", "1Gi"), sized("b", "2Gi", { storageClassName: "gold" })],
      best: "b",
    },
    {
      name: "has no class where the claim has none",
      volumes: [sized("a", "1Gi", { storageClassName: "gold" })],
      best: undefined,
    },
    {
      name: "has the same mode",
      spec: { volumeMode: "Block" },
      volumes: [sized("a", "1Gi"), sized("b", "1Gi", { volumeMode: "Block" })],
      best: "b",
    },
    {
      name: "has the labels of the selector",
      spec: { selector: { matchLabels: { tier: "fast" } } },
      volumes: [sized("a", "1Gi"), volume("b", { metadata: { labels: { tier: "fast" } } })],
      best: "b",
    },
    {
      name: "has the same attributes class",
      spec: { volumeAttributesClassName: "iops" },
      volumes: [sized("a", "1Gi"), sized("b", "1Gi", { volumeAttributesClassName: "iops" })],
      best: "b",
    },
    { name: "is available", volumes: [volume("a", { status: { phase: "Pending" } })], best: undefined },
    {
      name: "is not being deleted",
      volumes: [volume("a", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } })],
      best: undefined,
    },
    {
      name: "is one that names the claim before a smaller one",
      volumes: [sized("small", "1Gi"), sized("ours", "9Gi", { claimRef: referenceTo("c") })],
      best: "ours",
    },
    {
      name: "is no volume that names another claim",
      volumes: [sized("a", "1Gi", { claimRef: referenceTo("other") })],
      best: undefined,
    },
    {
      name: "is no volume of a namesake that is gone",
      volumes: [sized("a", "1Gi", { claimRef: referenceTo("c", "old") })],
      best: undefined,
    },
    {
      name: "is left to the scheduler where the class waits for a consumer",
      isDelayed: true,
      volumes: [sized("a", "1Gi")],
      best: undefined,
    },
    {
      name: "is one that names the claim, also where the class waits",
      isDelayed: true,
      volumes: [sized("a", "1Gi", { claimRef: referenceTo("c") })],
      best: "a",
    },
    {
      name: "is not one that names the claim and is too small",
      volumes: [sized("a", "500Mi", { claimRef: referenceTo("c") })],
      best: undefined,
    },
    { name: "compares amounts, not texts", volumes: [sized("a", "1000Mi"), sized("b", "1024Mi")], best: "b" },
  ];
  for (const { name, spec = {}, volumes, isDelayed = false, best } of rows)
    it(name, () => expect(bestVolume(claim("c", { spec }), volumes, { isDelayed })?.metadata?.name).toBe(best));
});

describe("a volume that a claim names does not fit", () => {
  const rows: [name: string, volume: PersistentVolume, message: string | undefined][] = [
    [
      "when it is being deleted",
      volume("v", { metadata: { deletionTimestamp: "x" } }),
      'the volume is marked for deletion "v"',
    ],
    ["when it is too small", sized("v", "1Mi"), "requested PV is too small"],
    [
      "when it has another class",
      volume("v", { spec: { storageClassName: "gold" } }),
      "storageClassName does not match",
    ],
    [
      "when it has another attributes class",
      volume("v", { spec: { volumeAttributesClassName: "x" } }),
      "volumeAttributesClassName does not match",
    ],
    ["when it has another mode", volume("v", { spec: { volumeMode: "Block" } }), "incompatible volumeMode"],
    [
      "when it lacks an access mode",
      volume("v", { spec: { accessModes: ["ReadOnlyMany"] } }),
      "incompatible accessMode",
    ],
    ["otherwise it does", volume("v"), undefined],
  ];
  for (const [name, each, message] of rows) it(name, () => expect(mismatchOf(each, claim("c"))).toBe(message));
});
