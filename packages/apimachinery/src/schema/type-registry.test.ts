import { describe, expect, it } from "vitest";
import { createTypeRegistry, type FieldNode, typeCodes } from "./index.js";

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
    expect(registry.get("test.v1.Pod").fields.map((field) => field.name)).toEqual([
      "kind",
      "apiVersion",
      "metadata",
      "spec",
    ]));
  it("in protobuf the inline struct is one nested message", () =>
    expect(spec.message.map((entry) => [entry.number, entry.field?.name ?? entry.inline?.name])).toEqual([
      [1, "items"],
      [2, "labels"],
      [3, "test.v1.Source"],
      [4, "policy"],
      [5, "parent"],
      [6, "selector"],
    ]));
  it("an inline struct without a number is not in the message", () =>
    expect(registry.get("test.v1.Pod").message).toHaveLength(2));
  it("a list knows its keys", () =>
    expect(spec.byName.get("items")?.type).toMatchObject({
      code: typeCodes.list,
      listType: "map",
      listKeys: ["name", "port"],
    }));
  it("a type may contain itself", () => expect(spec.byName.get("parent")?.type).toBe(spec));
  it("an enum has its values", () => expect(spec.byName.get("policy")?.type.enumValues).toEqual(["Always", "Never"]));
  it("a default is JSON", () =>
    expect(spec.byName.get("items")?.type.element?.byName.get("port")?.defaultValue).toBe(80));
  it("atomic is declared by the type or by the member", () => {
    expect(spec.byName.get("selector")?.type.atomic).toBe(true);
    expect(spec.byName.get("labels")?.type.atomic).toBe(true);
  });
  it("a name that no table has is an error that names it", () =>
    expect(() => registry.get("test.v1.None")).toThrow("test.v1.None"));
});

describe("named types", () => {
  const named = createTypeRegistry([
    `@a.v1 b=b.v1
%Usage cert_sign any
~Names {}~b:UID
~Port i v=minimum=1;maximum=65535
~Other b:Thing
=Holder
names ~Names 1 o a
more ~Names 2 o
uid ~b:UID 3 o
port ~Port 4 o v=immutable vc=optional
bytes y 5 o lt=atomic
usages []s%Usage 6 o lt=set
other Other 7 o g=One,Two
choice Choice 8 o
=Choice u=type,left:Left,right:Right
type s 1 o
left s 2 o
right s 3 o
`,
    `@b.v1
~UID s
=Thing
name s 1 o
`,
  ]);
  const field = (name: string): FieldNode | undefined => named.get("a.v1.Holder").byName.get(name);

  it("have their own name, and what they are made of", () => {
    expect(field("uid")?.type).toMatchObject({ code: typeCodes.string, name: "b.v1.UID" });
    expect(field("names")?.type).toMatchObject({ code: typeCodes.map, name: "a.v1.Names", atomic: true });
  });
  it("one member's words are not another's", () =>
    expect(field("more")?.type).toMatchObject({ atomic: false, applyType: "" }));
  it("rules stand on the type and on the member", () => {
    expect(field("port")?.type.rules).toEqual(["minimum=1", "maximum=65535"]);
    expect(field("port")).toMatchObject({ rules: ["immutable"], comparedRules: ["optional"] });
  });
  it("bytes may be called a list", () =>
    expect(field("bytes")?.type).toMatchObject({ code: typeCodes.bytes, applyType: "atomic" }));
  it("an enum's value may have a blank", () =>
    expect(field("usages")?.type.element?.enumValues).toEqual(["cert sign", "any"]));
  it("another name for a struct is that struct", () => {
    expect(field("other")?.type).toBe(named.get("b.v1.Thing"));
    expect(named.get("a.v1.Other")).toBe(named.get("b.v1.Thing"));
  });
  it("a member may need two gates", () => expect(field("other")).toMatchObject({ gate: "One", gates: ["One", "Two"] }));
  it("a union has a discriminator and Go names", () =>
    expect(field("choice")?.type.unions).toEqual([
      {
        discriminator: "type",
        members: [
          { field: "left", goName: "Left" },
          { field: "right", goName: "Right" },
        ],
      },
    ]));
  it("a word that nobody knows is an error", () =>
    expect(() => createTypeRegistry(["@x.v1\n=A\nb s 1 q=1\n"]).get("x.v1.A")).toThrow('"q"'));
});
