import { describe, expect, it } from "vitest";
import { withoutManagedFields } from "./without-managed-fields.js";

describe("an object without managed fields", () => {
  it("has all else, and the object that was given keeps them", () => {
    const pod = { metadata: { name: "a", managedFields: [{}] }, spec: { nodeName: "n" } };
    expect(withoutManagedFields(pod)).toEqual({ metadata: { name: "a" }, spec: { nodeName: "n" } });
    expect(pod.metadata.managedFields).toEqual([{}]);
  });

  it("is the same object where it has none, so that what is shared stays shared", () => {
    const pod = { metadata: { name: "a" } };
    expect(withoutManagedFields(pod)).toBe(pod);
  });
});
