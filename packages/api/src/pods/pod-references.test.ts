import { describe, expect, it } from "vitest";
import type { PodSpec } from "../gen/types/core-v1.js";
import { podReferences } from "./index.js";

describe("what a pod refers to", () => {
  const container = { name: "c", image: "i" };
  const rows: { name: string; spec: Partial<PodSpec>; refers: string[] }[] = [
    { name: "nothing", spec: {}, refers: [] },
    { name: "its account", spec: { serviceAccountName: "robot" }, refers: ["serviceaccount robot"] },
    { name: "secrets to pull images with", spec: { imagePullSecrets: [{ name: "pull" }] }, refers: ["secret pull"] },
    {
      name: "variables of all kinds of containers",
      spec: {
        initContainers: [{ ...container, envFrom: [{ secretRef: { name: "a" } }, { configMapRef: { name: "b" } }] }],
        containers: [{ ...container, env: [{ name: "E", valueFrom: { secretKeyRef: { name: "c", key: "k" } } }] }],
      },
      refers: ["secret a", "configmap b", "secret c"],
    },
    {
      name: "volumes",
      spec: {
        volumes: [
          { name: "one", secret: { secretName: "a" } },
          { name: "two", projected: { sources: [{ secret: { name: "b" } }, { configMap: { name: "c" } }] } },
          { name: "three", csi: { driver: "d", nodePublishSecretRef: { name: "e" } } },
          { name: "four", iscsi: { targetPortal: "", iqn: "", lun: 0, secretRef: { name: "f" } } },
          { name: "five", persistentVolumeClaim: { claimName: "g" } },
          { name: "six", ephemeral: {} },
        ],
      },
      refers: ["secret a", "secret b", "configmap c", "secret e", "secret f", "pvc g", "pvc p-six"],
    },
    {
      name: "claims for devices that are named",
      spec: { resourceClaims: [{ name: "gpu", resourceClaimName: "shared" }] },
      refers: ["resourceclaim shared"],
    },
  ];
  for (const { name, spec, refers } of rows)
    it(name, () => {
      const found = podReferences({ metadata: { name: "p" }, spec: { containers: [], ...spec } });
      expect(found.map((each) => `${each.type} ${each.name}`)).toEqual(refers);
    });
});
