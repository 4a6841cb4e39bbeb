import { describe, expect, it } from "vitest";
import { ownersOf } from "./field-owners.js";
import { schemaAt } from "./schema-path.js";
import { fieldProblems } from "./server-check.js";
import { lineOfField, parentAt, scanYaml } from "./yaml-lines.js";

const text = `apiVersion: v1
metadata:
  annotations:
    "a.b/c": x
spec:
  containers:
  - image: nginx
    command:
    - sh
    - -c
    args: |
      key: no member
      - no item
    name: web
  - name: other
  restartPolicy: Always
`;
const paths = scanYaml(text).map(({ path }) => path.join("/"));

describe("paths of lines", () => {
  const cases: readonly (readonly [line: number, path: string])[] = [
    [0, "apiVersion"],
    [3, "metadata/annotations/a.b/c"],
    [6, "spec/containers/0/image"],
    [8, "spec/containers/0/command/0"],
    [9, "spec/containers/0/command/1"],
    [11, "spec/containers/0/args"],
    [12, "spec/containers/0/args"],
    [13, "spec/containers/0/name"],
    [14, "spec/containers/1/name"],
    [15, "spec/restartPolicy"],
  ];
  for (const [line, path] of cases) it(`line ${line + 1} is ${path}`, () => expect(paths[line]).toBe(path));

  it("a key below a line belongs to the mapping of its column", () => {
    const { levels } = scanYaml("spec:\n  containers:\n  - name: a").at(-1) ?? { levels: [] };
    expect(parentAt(levels, 4)).toEqual(["spec", "containers", 0]);
    expect(parentAt(levels, 2)).toEqual(["spec"]);
    expect(parentAt(levels, 0)).toEqual([]);
  });

  it("a field of the server is found, or the nearest above it", () => {
    const scanned = scanYaml(text);
    expect(lineOfField(scanned, "spec.containers[1].name")).toBe(14);
    expect(lineOfField(scanned, "spec.containers[0].resources.limits[cpu]")).toBe(6);
    expect(lineOfField(scanned, "nothing")).toBe(0);
  });
});

describe("owners of fields", () => {
  const object = {
    spec: { replicas: 2, containers: [{ name: "web", image: "nginx" }] },
    metadata: {
      managedFields: [
        {
          manager: "kubectl",
          fieldsV1: {
            "f:spec": { "f:replicas": {}, "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:image": {} } } },
          },
        },
        { manager: "autoscaler", subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } },
      ],
    },
  };
  it("are all managers that have the field", () =>
    expect(ownersOf(object, ["spec", "replicas"])).toEqual(["kubectl", "autoscaler (scale)"]));
  it("are found by the keys of a list", () =>
    expect(ownersOf(object, ["spec", "containers", 0, "image"])).toEqual(["kubectl"]));
  it("are none for a field that nobody set", () =>
    expect(ownersOf(object, ["spec", "containers", 0, "name"])).toEqual([]));
});

describe("the server's schema and errors", () => {
  const schemas = {
    Pod: { properties: { spec: { allOf: [{ $ref: "#/components/schemas/Spec" }] } } },
    Spec: {
      properties: {
        containers: { type: "array", items: { $ref: "#/components/schemas/Container" } },
        labels: { additionalProperties: { type: "string" } },
      },
    },
    Container: { properties: { image: { type: "string" } } },
  };
  it("references, lists and maps are followed", () => {
    expect(schemaAt({ schemas, root: "Pod" }, ["spec", "containers", 0, "image"])).toEqual({ type: "string" });
    expect(schemaAt({ schemas, root: "Pod" }, ["spec", "labels", "x"])).toEqual({ type: "string" });
    expect(schemaAt({ schemas, root: "Pod" }, ["spec", "nothing"])).toBeUndefined();
  });
  it("causes of a Status are its problems", () =>
    expect(
      fieldProblems({ message: "Pod is invalid", causes: [{ field: "spec.x", message: "Required value" }] }),
    ).toEqual([{ field: "spec.x", message: "Required value" }]));
  it("so are the fields of strict decoding", () =>
    expect(
      fieldProblems({ message: 'strict decoding error: unknown field "spec.foo", unknown field "spec.bar"' }).map(
        ({ field }) => field,
      ),
    ).toEqual(["spec.foo", "spec.bar"]));
});
