import { describe, expect, it } from "vitest";
import { createTypeRegistry } from "../schema/index.js";
import { cloneJson, decodeJson, encodeJson, walk, walkOwn, wasGivenEmpty } from "./index.js";

const registry = createTypeRegistry([
  `@test.v1 m=meta.v1
%Policy Always Never
=Thing
^m:TypeMeta 0
metadata m:ObjectMeta 1 o
spec Spec 2 o
status *Status 3 o
=Spec
^Source 3
items []Item 1 r
labels {}s 2 o
policy s%Policy 4 o
parent *Spec 5 o
size Q 6 o
limits {}Q 7 o
port I 8 o
after T 9 o
micro *M 10 o
wait *D 11 o
data {}y 12 o
big l 13 o
ratio *d 14 o
raw R 15 o
any *J 16 o
extra {}X 17 o
pointers []*Item 18 o
args []s 19 o
fixed D 20 o
sizes []Q 21 o
raws []R 22 o
=Source
path s 1 o
=Item
name s 1
port i 2 o
on *b 3
=Status
phase s 1 o
`,
  `@meta.v1
=TypeMeta
kind s 1 o
apiVersion s 2 o
=ObjectMeta
name s 1 o
created T 2 o z
labels {}s 3 o
`,
]);
const thing = registry.get("test.v1.Thing");
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (text: string): unknown => decodeJson(encode(text), thing).object;
const roundTrip = (text: string): string => new TextDecoder().decode(encodeJson(decode(text), thing));
const empty = { metadata: {}, spec: { items: null, size: "0", port: 0, after: null, raw: null, fixed: "0s" } };
const withSpec = (spec: object): object => ({ metadata: {}, spec: { ...empty.spec, ...spec } });

describe("decoding to the canonical form", () => {
  const cases: { name: string; text: string; object: unknown }[] = [
    { name: "an empty object has its value structs", text: "{}", object: empty },
    { name: "null is an empty object", text: "null", object: empty },
    {
      name: "null does nothing to a plain member",
      text: `{"kind":null,"metadata":{"name":null},"spec":{"policy":null}}`,
      object: empty,
    },
    { name: "null makes a pointer nil", text: `{"status":null}`, object: empty },
    {
      name: "null in a list is the zero value",
      text: `{"spec":{"items":[null]}}`,
      object: withSpec({ items: [{ name: "", on: null }] }),
    },
    {
      name: "null in a list of pointers stays",
      text: `{"spec":{"pointers":[null]}}`,
      object: withSpec({ pointers: [null] }),
    },
    {
      name: "null in a map is the zero value",
      text: `{"spec":{"labels":{"a":null},"limits":{"b":null}}}`,
      object: withSpec({ labels: { a: "" }, limits: { b: "0" } }),
    },
    {
      name: "null bytes in a map stay null",
      text: `{"spec":{"data":{"a":null},"extra":{"b":null}}}`,
      object: withSpec({ data: { a: null }, extra: { b: null } }),
    },
    {
      name: "zero scalars with omitempty are dropped",
      text: `{"spec":{"policy":"","big":0,"args":[],"labels":{}}}`,
      object: empty,
    },
    {
      name: "a pointer to zero stays",
      text: `{"spec":{"ratio":0,"wait":"0"}}`,
      object: withSpec({ ratio: 0, wait: "0s" }),
    },
    {
      name: "a struct that is there but empty stays",
      text: `{"status":{"phase":""}}`,
      object: { ...empty, status: {} },
    },
    { name: "an empty list without omitempty stays", text: `{"spec":{"items":[]}}`, object: withSpec({ items: [] }) },
    {
      name: "quantities",
      text: `{"spec":{"size":"1000m","limits":{"cpu":"0.5","memory":"1024Mi","n":5}}}`,
      object: withSpec({ size: "1", limits: { cpu: "500m", memory: "1Gi", n: "5" } }),
    },
    {
      name: "times in UTC and whole seconds",
      text: `{"spec":{"after":"2024-03-01T01:30:00.5+02:00","micro":"2024-03-01T01:30:00.500000+02:00"}}`,
      object: withSpec({ after: "2024-02-29T23:30:00Z", micro: "2024-02-29T23:30:00.500000Z" }),
    },
    {
      name: "the zero time is not set",
      text: `{"metadata":{"created":"0001-01-01T00:00:00Z"},"spec":{"micro":"0001-01-01T00:00:00.000000Z"}}`,
      object: empty,
    },
    {
      name: "durations",
      text: `{"spec":{"wait":"90m","fixed":"1500ms"}}`,
      object: withSpec({ wait: "1h30m0s", fixed: "1.5s" }),
    },
    {
      name: "base64 with line breaks and stray bits",
      text: `{"spec":{"data":{"a":"aGVs\\nbG8=","b":"aH=="}}}`,
      object: withSpec({ data: { a: "aGVsbG8=", b: "aA==" } }),
    },
    {
      name: "a list of numbers is bytes, too",
      text: `{"spec":{"data":{"a":[104,105]}}}`,
      object: withSpec({ data: { a: "aGk=" } }),
    },
    { name: "an integer or a text", text: `{"spec":{"port":"http"}}`, object: withSpec({ port: "http" }) },
    {
      name: "an int64 beyond 2^53 is a bigint",
      text: `{"spec":{"big":9223372036854775807}}`,
      object: withSpec({ big: 9223372036854775807n }),
    },
    {
      name: "a safe int64 of sixteen digits is a number",
      text: `{"spec":{"big":9007199254740991}}`,
      object: withSpec({ big: 9007199254740991 }),
    },
    {
      name: "big and broken numbers in free data",
      text: `{"spec":{"any":{"b":9223372036854775807,"a":1.50,"c":1e3}}}`,
      object: withSpec({ any: { a: 1.5, b: 9223372036854775807n, c: 1000 } }),
    },
    { name: "an unknown member is dropped", text: `{"x":{"y":[1,{"z":2}]},"spec":{"q":1}}`, object: empty },
    {
      name: "a duplicate is read into the first one",
      text: `{"spec":{"path":"a","labels":{"x":"1"}},"spec":{"policy":"Never","labels":{"y":"2"}}}`,
      object: withSpec({ path: "a", labels: { x: "1", y: "2" }, policy: "Never" }),
    },
    { name: "a duplicate scalar: the last counts", text: `{"kind":"A","kind":"B"}`, object: { kind: "B", ...empty } },
    {
      name: "half of a surrogate pair is replaced",
      text: `{"kind":"\\ud800x\\ud83d\\ude00"}`,
      object: { kind: "\ufffdx😀", ...empty },
    },
    {
      name: "members named like the prototype's",
      text: `{"spec":{"labels":{"constructor":"a","__proto__":"b"}}}`,
      object: JSON.parse(
        JSON.stringify(withSpec({ labels: 0 })).replace(`"labels":0`, `"labels":{"__proto__":"b","constructor":"a"}`),
      ),
    },
  ];
  for (const c of cases) {
    it(c.name, () => {
      const object = decode(c.text);
      // The copy leaves the note behind of what was given as empty.
      expect(structuredClone(object)).toEqual(c.object);
      expect(structuredClone(walk(object, thing))).toEqual(c.object);
    });
  }
});

describe("a value walked in place", () => {
  it("is what its copy is, also where the quick walk gives up half-way", () => {
    const value = () => ({
      spec: {
        unknown: 1,
        path: "a",
        items: [{ port: 1, name: "x" }],
        args: [],
        labels: { b: "1", a: "2" },
        limits: { cpu: 1.5 },
        parent: { policy: "Never" },
      },
      kind: "Thing",
    });
    expect(structuredClone(walkOwn(value(), thing))).toEqual(structuredClone(walk(value(), thing)));
    expect(walkOwn(value(), thing)).toMatchObject({ spec: { limits: { cpu: "1500m" } } });
  });
});

describe("the order of members", () => {
  it("is the table's, and by name in maps", () => {
    expect(
      roundTrip(
        `{"spec":{"wait":"1s","labels":{"b":"1","a":"2","😀":"4","\\uffee":"3"},"items":[{"port":1,"name":"x"}]},"apiVersion":"v1","kind":"Thing"}`,
      ),
    ).toBe(
      `{"kind":"Thing","apiVersion":"v1","metadata":{},"spec":{"items":[{"name":"x","port":1,"on":null}],"labels":{"a":"2","b":"1","\uffee":"3","😀":"4"},"size":"0","port":0,"after":null,"wait":"1s","raw":null,"fixed":"0s"}}`,
    );
  });
  it("is kept where the data is free of type", () =>
    expect(roundTrip(`{"spec":{"raw":{"b":1,"a":2}}}`)).toContain(`"raw":{"b":1,"a":2}`));
});

describe("broken UTF-8", () => {
  it("every bad byte becomes one U+FFFD, as in Go", () => {
    const bytes = Uint8Array.from([...encode(`{"kind":"`), 0xe2, 0x82, 0x41, 0xff, ...encode(`"}`)]);
    expect(decodeJson(bytes, thing).object).toEqual({ kind: "\ufffd\ufffdA\ufffd", ...empty });
  });
});

describe("members given as empty", () => {
  const given = (text: string): object => (decode(text) as { spec: object }).spec;
  it("are known by name, and by a copy too", () => {
    const spec = given(`{"spec":{"args":[],"labels":{}}}`);
    for (const object of [spec, { ...spec }, cloneJson(spec)])
      expect(["args", "labels", "policy"].map((name) => wasGivenEmpty(object, name))).toEqual([true, true, false]);
  });
  it("are not those given as null, nor those not given", () =>
    expect(["args", "labels"].some((name) => wasGivenEmpty(given(`{"spec":{"args":null}}`), name))).toBe(false));
});

describe("a value of another type is refused with Go's name of the type that is wanted", () => {
  const cases = [
    { name: "a list of structs", spec: { items: {} }, type: "[]v1.Item" },
    { name: "a list of pointers to structs", spec: { pointers: {} }, type: "[]*v1.Item" },
    { name: "a list of quantities", spec: { sizes: {} }, type: "[]resource.Quantity" },
    { name: "a list of raw objects", spec: { raws: {} }, type: "[]runtime.RawExtension" },
    { name: "a map of texts", spec: { labels: [] }, type: "map[string]string" },
  ];
  for (const { name, spec, type } of cases)
    it(name, () => {
      let message = "";
      try {
        decode(JSON.stringify({ spec }));
      } catch (err) {
        message = (err as Error).message;
      }
      expect(message.split(" of type ")[1]).toBe(type);
    });
});
