import type { ObjectMeta, OwnerReference } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { dropRepeatedOwners } from "./repeated-owners.js";

const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: "v1",
  kind: "Pod",
  name: "p",
  uid,
  ...more,
});

describe("owner references that are repeated", () => {
  it("are dropped, with a warning that names them", () => {
    const meta: ObjectMeta = {
      ownerReferences: [owner("a"), owner("b"), owner("a"), owner("a", { controller: true })],
    };
    expect(dropRepeatedOwners(meta, "before admission")).toMatch(/duplicate UID\(s\) observed: a$/);
    expect(meta.ownerReferences).toEqual([owner("a"), owner("b"), owner("a", { controller: true })]);
  });

  it("are the same in any order of their members", () => {
    const { uid, ...rest } = owner("a");
    const meta: ObjectMeta = { ownerReferences: [owner("a"), { uid, ...rest }] };
    expect(dropRepeatedOwners(meta, "after admission")).toContain("after mutating admission");
  });

  it("are found among tens of thousands in linear time", () => {
    const meta: ObjectMeta = { ownerReferences: Array.from({ length: 60_000 }, (_, at) => owner(`u${at}`)) };
    expect(dropRepeatedOwners(meta, "before admission")).toBeUndefined();
  });
});
