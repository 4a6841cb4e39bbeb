import { describe, expect, it } from "vitest";
import { applyChange, changeText, jsonPatchOf, mergePatchOf, textOf } from "./change.js";

const object = { spec: { replicas: 1, ports: [{ port: 80 }] } };

describe("a change", () => {
  it("puts a value where there was another, and leaves the object as it was", () => {
    expect(applyChange(object, { path: ["spec", "replicas"], value: 5, about: "value" })).toEqual({
      spec: { replicas: 5, ports: [{ port: 80 }] },
    });
    expect(object.spec.replicas).toBe(1);
  });
  it("makes parents that are not there", () => {
    expect(applyChange({}, { path: ["a", "b"], value: 1, about: "value" })).toEqual({ a: { b: 1 } });
  });
  it("takes an item out of a list", () => {
    expect(applyChange(object, { path: ["spec", "ports", 0], about: "gone" })).toEqual({
      spec: { replicas: 1, ports: [] },
    });
  });
  it("writes a member twice", () => {
    expect(textOf(applyChange({ a: 1 }, { path: ["a"], value: 1, twice: true, about: "unknown" }))).toBe(
      '{"a":1,"a":1}',
    );
  });
  it("sends lists whole in a merge patch", () => {
    expect(mergePatchOf(object, { path: ["spec", "ports", 0, "port"], value: 81, about: "value" })).toEqual({
      spec: { ports: [{ port: 81 }] },
    });
  });
  it("removes, adds and replaces in a JSON patch", () => {
    expect(jsonPatchOf(object, { path: ["spec", "replicas"], about: "gone" })).toEqual([
      { op: "remove", path: "/spec/replicas" },
    ]);
    expect(jsonPatchOf(object, { path: ["metadata", "labels", "a/b"], value: "c", about: "value" })).toEqual([
      { op: "add", path: "/metadata/labels/a~1b", value: "c" },
    ]);
  });
  it("is a sentence", () => {
    expect(changeText({ path: ["spec", "replicas"], value: -1, about: "value" })).toBe("spec.replicas is -1");
  });
});
