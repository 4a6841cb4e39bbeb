import { describe, expect, it } from "vitest";
import { internalTypeName, versionedTypeName } from "./go-type.js";

describe("Go's names of kinds", () => {
  const cases = [
    { group: "", kind: "ConfigMap", internal: "core.ConfigMap" },
    { group: "apps", kind: "Deployment", internal: "apps.Deployment" },
    { group: "rbac.authorization.k8s.io", kind: "Role", internal: "rbac.Role" },
    { group: "events.k8s.io", kind: "Event", internal: "core.Event" },
    { group: "internal.apiserver.k8s.io", kind: "StorageVersion", internal: "apiserverinternal.StorageVersion" },
  ];
  for (const { group, kind, internal } of cases)
    it(`${group}/${kind} is ${internal}`, () => expect(internalTypeName({ group }, kind)).toBe(internal));
  it("a version is its own package", () =>
    expect(versionedTypeName({ version: "v1beta1" }, "Lease")).toBe("v1beta1.Lease"));
});
