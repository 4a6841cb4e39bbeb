import { describe, expect, it } from "vitest";
import { createTypeRegistry, typeCodes } from "./index.js";

const registry = createTypeRegistry([
  `@test.v1 m=meta.v1
%Policy Always Never
=Pod
^m:TypeMeta 0
metadata m:ObjectMeta 1 o
spec Spec 2 o
=Spec
^Source 3
items []Item 1 r ps=merge pk=name lt=map lk=name,port
labels {}s 2 o a
policy s%Policy 4 o d="Always"
parent *Spec 5 o
selector m:Reference 6 o
=Source
path s 1 o
=Item
name s 1 r
port i 2 o d=80
`,
  `@meta.v1
=TypeMeta
kind s 1 o
apiVersion s 2 o
=ObjectMeta
name s 1 o
=Reference a
name s 1 o
`,
]);
const spec = registry.get("test.v1.Spec");

describe("types linked from a table", () => {
  it("an inline struct's members stand in the parent, in its place", () =>
    expect(registry.get("test.v1.Pod").fields.map((field) => field.name)).toEqual(["kind", "apiVersion", "metadata", "spec"]));
  it("in protobuf the inline struct is one nested message", () =>
    expect(spec.message.map((entry) => [entry.number, entry.field?.name ?? entry.inline?.name])).toEqual([
      [1, "items"],
      [2, "labels"],
      [3, "test.v1.Source"],
      [4, "policy"],
      [5, "parent"],
      [6, "selector"],
    ]));
  it("an inline struct without a number is not in the message", () => expect(registry.get("test.v1.Pod").message).toHaveLength(2));
  it("a list knows its keys", () =>
    expect(spec.byName.get("items")?.type).toMatchObject({ code: typeCodes.list, listType: "map", listKeys: ["name", "port"] }));
  it("a type may contain itself", () => expect(spec.byName.get("parent")?.type).toBe(spec));
  it("an enum has its values", () => expect(spec.byName.get("policy")?.type.enumValues).toEqual(["Always", "Never"]));
  it("a default is JSON", () => expect(spec.byName.get("items")?.type.element?.byName.get("port")?.defaultValue).toBe(80));
  it("atomic is said by the type or by the member", () => {
    expect(spec.byName.get("selector")?.type.atomic).toBe(true);
    expect(spec.byName.get("labels")?.type.atomic).toBe(true);
  });
  it("a name that no table has is an error that says it", () => expect(() => registry.get("test.v1.None")).toThrow("test.v1.None"));
});
