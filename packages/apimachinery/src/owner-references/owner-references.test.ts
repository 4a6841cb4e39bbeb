import { describe, expect, it } from "vitest";
import type { OwnerReference } from "../meta/object-meta.js";
import {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  type Owned,
  withController,
  withOwner,
  withoutOwner,
} from "./index.js";

const gvk = { group: "apps", version: "v1", kind: "ReplicaSet" };
const owner = (name: string, namespace = "n"): Owned => ({ metadata: { name, namespace, uid: `uid-${name}` } });
const pod = (...ownerReferences: OwnerReference[]): Owned => ({
  metadata: { name: "p", namespace: "n", ownerReferences },
});
const ref = (name: string, controller?: boolean, apiVersion = "apps/v1"): OwnerReference => ({
  apiVersion,
  kind: "ReplicaSet",
  name,
  uid: `uid-${name}`,
  ...(controller === undefined ? {} : { controller }),
});

describe("owners", () => {
  it("the controller is the reference with `controller: true`", () =>
    expect(controllerOf(pod(ref("a"), ref("b", true)))?.name).toBe("b"));
  it("an object without references has none", () => expect(controllerOf({ metadata: {} })).toBeUndefined());
  it("control goes by uid, not by name", () => {
    expect(isControlledBy(pod(ref("a", true)), owner("a"))).toBe(true);
    expect(isControlledBy(pod(ref("a", true)), { metadata: { name: "a", uid: "younger" } })).toBe(false);
  });
  it("an owner need not control", () =>
    expect([isOwnedBy(pod(ref("a")), "uid-a"), isOwnedBy(pod(ref("a")), "uid-b")]).toEqual([true, false]));
  it("taking control adds a reference", () =>
    expect(withController(pod(ref("x")), owner("a"), gvk)).toEqual([
      ref("x"),
      { ...ref("a", true), blockOwnerDeletion: true },
    ]));
  it("taking control again replaces the reference, also one of another version", () =>
    expect(withController(pod(ref("a", true, "apps/v1beta1"), ref("x")), owner("a"), gvk)).toEqual([
      { ...ref("a", true), blockOwnerDeletion: true },
      ref("x"),
    ]));
  it("another controller is respected", () =>
    expect(() => withController(pod(ref("b", true)), owner("a"), gvk)).toThrow(
      "Object n/p is already owned by another ReplicaSet controller b",
    ));
  it("an owner in another namespace is refused", () =>
    expect(() => withController(pod(), owner("a", "m"), gvk)).toThrow("cross-namespace"));
  it("a cluster's object has no owner in a namespace", () =>
    expect(() => withController({ metadata: { name: "c" } }, owner("a"), gvk)).toThrow("owner's namespace n"));
  it("owners come and go", () =>
    expect(withoutOwner({ metadata: { ownerReferences: withOwner(pod(ref("a")), ref("b")) } }, "uid-a")).toEqual([
      ref("b"),
    ]));
});
