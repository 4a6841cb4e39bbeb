import { describe, expect, it } from "vitest";
import { filterByPaths, mergeDocuments } from "./merge.js";

const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const path = (name: string) => ({ get: { responses: { 200: { schema: ref(name) } } } });
const model = (type: string, kinds?: object[]) => ({
  type,
  ...(kinds && { "x-kubernetes-group-version-kind": kinds }),
});
const document = (paths: object, definitions: object, parameters: object = {}) =>
  ({ paths, definitions, parameters }) as never;

describe("documents of several servers", () => {
  it("of a filtered one, definitions stay that are still used, through others too, or never were", () => {
    const filtered = filterByPaths(
      document(
        { "/apis/a/v1/x": path("X"), "/apis/b/v1/y": path("Y") },
        { X: { properties: { z: ref("Z") } }, Y: model("string"), Z: model("string"), Unused: model("string") },
      ),
      (each) => each.startsWith("/apis/a/"),
    ) as { paths: object; definitions: object };
    expect([Object.keys(filtered.paths), Object.keys(filtered.definitions)]).toEqual([
      ["/apis/a/v1/x"],
      ["X", "Z", "Unused"],
    ]);
  });
  const target = document({ "/a": path("Meta") }, { Meta: model("object"), Same: model("string") });
  const cases = [
    {
      name: "paths of the first count, and what only the others' used goes",
      source: document({ "/a": path("Other") }, { Other: model("string") }),
      merged: { paths: ["/a"], definitions: ["Meta", "Same"] },
    },
    {
      name: "a definition of the same content is shared",
      source: document({ "/b": path("Same") }, { Same: model("string") }),
      merged: { paths: ["/a", "/b"], definitions: ["Meta", "Same"] },
    },
    {
      name: "one of another content is renamed, with what refers to it",
      source: document({ "/b": path("Meta") }, { Meta: model("string") }),
      merged: { paths: ["/a", "/b"], definitions: ["Meta", "Meta_v2", "Same"] },
      refers: "#/definitions/Meta_v2",
    },
    {
      name: "a new name that is taken is passed over",
      source: document(
        { "/b": path("Meta"), "/c": path("Meta_v2") },
        { Meta: model("string"), Meta_v2: model("integer") },
      ),
      merged: { paths: ["/a", "/b", "/c"], definitions: ["Meta", "Meta_v2", "Meta_v3", "Same"] },
      refers: "#/definitions/Meta_v3",
    },
  ];
  for (const { name, source, merged, refers } of cases)
    it(name, () => {
      const { paths, definitions } = mergeDocuments(target, source) as {
        paths: Record<string, ReturnType<typeof path>>;
        definitions: object;
      };
      expect({ paths: Object.keys(paths), definitions: Object.keys(definitions) }).toEqual(merged);
      if (refers !== undefined) expect(paths["/b"]?.get.responses[200].schema.$ref).toBe(refers);
    });
  it("a shared definition names the kinds of both", () => {
    const kind = (group: string) => ({ group, version: "v1", kind: "DeleteOptions" });
    const { definitions } = mergeDocuments(
      document({ "/a": path("D") }, { D: model("object", [kind("b")]) }),
      document({ "/b": path("D") }, { D: model("object", [kind("b"), kind("a")]) }),
    ) as { definitions: { D: object } };
    expect(definitions.D).toEqual(model("object", [kind("a"), kind("b")]));
  });
});
