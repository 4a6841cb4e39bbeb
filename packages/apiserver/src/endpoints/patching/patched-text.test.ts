import { applyJsonPatch, applyMergePatch } from "@coxswain/apimachinery/patch";
import { describe, expect, it } from "vitest";
import { patchedText } from "./patched-text.js";

const current = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a", labels: { z: "1", b: "2" } } };

describe("the text of a patched object", () => {
  it("sorts the members that a merge patch went through, and no others", () => {
    expect(patchedText(applyMergePatch(current, { data: { k: "v" } }), [current])).toBe(
      '{"apiVersion":"v1","data":{"k":"v"},"kind":"ConfigMap","metadata":{"name":"a","labels":{"z":"1","b":"2"}}}',
    );
    expect(patchedText(applyMergePatch(current, { metadata: { labels: { c: "3" } } }), [current])).toBe(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"b":"2","c":"3","z":"1"},"name":"a"}}',
    );
  });
  it("leaves the values of a JSON patch as they were written", () => {
    const patch = [{ op: "add", path: "/data", value: { z: 1, a: "<" } }];
    expect(patchedText(applyJsonPatch(current, patch), [current, patch])).toBe(
      '{"apiVersion":"v1","data":{"z":1,"a":"\\u003c"},"kind":"ConfigMap","metadata":{"name":"a","labels":{"z":"1","b":"2"}}}',
    );
  });
});
