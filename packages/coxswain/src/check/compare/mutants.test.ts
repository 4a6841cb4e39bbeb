import { describe, expect, it } from "vitest";
import { mutantsOf } from "./mutants.test.support.js";

const base = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", namespace: "n" },
  spec: { containers: [{ name: "b", image: "c" }] },
};

describe("objects with one odd member", () => {
  const mutants = mutantsOf([base], 200, 1);
  it("are the same for the same seed", () => expect(mutantsOf([base], 200, 1)).toEqual(mutants));
  it("have names of their own", () => {
    const names = mutants.flatMap(({ object }) => (object["metadata"] as { name?: unknown } | undefined)?.name ?? []);
    expect(new Set(names.filter((name) => String(name).startsWith("a-m"))).size).toBeGreaterThan(150);
  });
  it("keep what they are looked up by", () => {
    for (const { object } of mutants) expect(object).toMatchObject({ apiVersion: "v1", kind: "Pod" });
  });
  it("differ from the object that they were made of, and leave it as it was", () => {
    expect(mutants.filter(({ sentence }) => sentence.startsWith("spec.containers.0")).length).toBeGreaterThan(20);
    expect(base.spec.containers).toEqual([{ name: "b", image: "c" }]);
  });
});
