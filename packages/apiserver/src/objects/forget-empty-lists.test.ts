import { builtInTypes } from "@coxswain/api/tables";
import { describe, expect, it } from "vitest";
import { forgetEmptyLists } from "./forget-empty-lists.js";

const after = (type: string, object: unknown): unknown => {
  forgetEmptyLists(object, builtInTypes.get(type));
  return object;
};

describe("empty lists in the store", () => {
  const cases = [
    {
      name: "one that is always written is none",
      type: "io.k8s.api.rbac.v1.ClusterRole",
      object: { rules: [] },
      stored: { rules: null },
    },
    {
      name: "one within the items of a list is none",
      type: "io.k8s.api.storage.v1.CSINode",
      object: { spec: { drivers: [{ name: "a", topologyKeys: [] }] } },
      stored: { spec: { drivers: [{ name: "a", topologyKeys: null }] } },
    },
    {
      name: "no bytes in a map are empty ones",
      type: "io.k8s.api.core.v1.ConfigMap",
      object: { binaryData: { a: null, b: "eA==" } },
      stored: { binaryData: { a: "", b: "eA==" } },
    },
    {
      name: "one with items stays",
      type: "io.k8s.api.core.v1.LimitRange",
      object: { spec: { limits: [{ type: "Pod" }] } },
      stored: { spec: { limits: [{ type: "Pod" }] } },
    },
  ];
  for (const { name, type, object, stored } of cases) it(name, () => expect(after(type, object)).toEqual(stored));
});
