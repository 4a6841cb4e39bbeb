import { builtInResources, findResource } from "@coxswain/api/resources";
import { describe, expect, it } from "vitest";
import { builtInKinds } from "./built-in-kinds.js";

describe("the built-in kinds", () => {
  it("are all stored resources of a default server, each once", () => {
    const served = builtInResources
      .filter((info) => info.servedByDefault && info.storage)
      .map((info) => info.storage?.prefix);
    expect(builtInKinds.map((kind) => kind.storagePrefix).sort()).toEqual([...new Set(served)].sort());
  });
  it("link no type when they are imported", () => {
    const linked = builtInKinds.filter((kind) => Object.getOwnPropertyDescriptor(kind, "schema")?.get === undefined);
    expect(linked.map((kind) => kind.resource)).toEqual([]);
  });
  it("know their type when it is asked for", () => {
    for (const kind of builtInKinds) expect(kind.schema.name.split(".").at(-1)).toBe(kind.kind);
  });
  it("have a view for every other way to write the same object", () => {
    const missing = builtInKinds.flatMap((kind) => {
      const info = findResource(kind.group, kind.version, kind.resource);
      const views =
        info?.subresources.filter((sub) => sub.kind.kind === kind.kind && sub.verbs.includes("update")) ?? [];
      return views.filter((sub) => !(sub.name in kind.views)).map((sub) => `${kind.resource}/${sub.name}`);
    });
    expect(missing).toEqual([]);
  });
});
