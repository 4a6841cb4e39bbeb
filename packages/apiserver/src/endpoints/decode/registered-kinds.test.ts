import { describe, expect, it } from "vitest";
import { registeredType } from "./registered-kinds.js";

describe("kinds that upstream knows", () => {
  const cases = [
    { name: "a built-in kind", kind: { group: "apps", version: "v1", kind: "Deployment" }, known: true },
    { name: "a list", kind: { group: "", version: "v1", kind: "PodList" }, known: true },
    { name: "a kind of another group", kind: { group: "apps", version: "v1", kind: "ConfigMap" }, known: false },
    { name: "a version that never was", kind: { group: "", version: "v2", kind: "ConfigMap" }, known: false },
    {
      name: "options, in any group-version",
      kind: { group: "batch", version: "v1", kind: "DeleteOptions" },
      known: true,
    },
    {
      name: "options, of no group-version",
      kind: { group: "batch", version: "v7", kind: "DeleteOptions" },
      known: false,
    },
    { name: "a part of a kind", kind: { group: "", version: "v1", kind: "PodSpec" }, known: false },
    {
      name: "a reference with a kind in it",
      kind: { group: "", version: "v1", kind: "ObjectReference" },
      known: false,
    },
    {
      name: "a kind of another program",
      kind: { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" },
      known: false,
    },
  ];
  for (const { name, kind, known } of cases) it(name, () => expect(registeredType(kind, "") !== undefined).toBe(known));
});
