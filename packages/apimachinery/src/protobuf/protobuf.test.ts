import { describe, expect, it } from "vitest";
import { DecodeError, decodeJson } from "../json/index.js";
import { createTypeRegistry } from "../schema/index.js";
import {
  decodeProtobuf,
  decodeProtobufObject,
  decodeWatchFrame,
  encodeProtobuf,
  encodeProtobufObject,
  encodeWatchFrame,
  FrameReader,
  readEnvelope,
  wrapEnvelope,
} from "./index.js";

const registry = createTypeRegistry([
  `@test.v1
=TypeMeta
kind s 1 o
apiVersion s 2 o
=Thing
^TypeMeta 0
spec Spec 2 o
=Spec
^Source 3
^*Extra 30
items []Item 1
labels {}s 2 o
parent *Spec 5 o
size Q 6 o
port I 8 o
after T 9 o
micro *M 10 o
wait *D 11 o
data {}y 12 o
big *l 13 o
ratio *d 14 o
raw R 15 o
extra {}X 17 o
numbers []i 18 o
count *w 19 o
=Source
path s 1 o
=Extra
note s 1 o
=Item
name s 1
on *b 3
`,
]);
const thing = registry.get("test.v1.Thing");
const specOf = (spec: object): unknown =>
  decodeJson(
    new TextEncoder().encode(
      JSON.stringify({ kind: "Thing", apiVersion: "test/v1", spec }, (_, value: unknown) =>
        typeof value === "bigint" ? `big${value}` : value,
      ).replace(/"big(-?\d+)"/g, "$1"),
    ),
    thing,
  ).object;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));

describe("a message and back", () => {
  const cases: { name: string; spec: object }[] = [
    { name: "nothing", spec: {} },
    {
      name: "a list of structs",
      spec: {
        items: [
          { name: "a", on: false },
          { name: "", on: null },
        ],
      },
    },
    { name: "an inlined member", spec: { items: [], path: "/a" } },
    { name: "an inlined pointer", spec: { note: "x" } },
    { name: "itself", spec: { parent: { parent: { labels: { a: "b" } } } } },
    {
      name: "maps",
      spec: {
        labels: { "10": "a", "9": "b", z: "é", __proto_: "", constructor: "c" },
        data: { a: "AAEC", b: "" },
        extra: { a: ["x", "y"] },
      },
    },
    {
      name: "quantities and times",
      spec: { size: "1500m", after: "2024-02-29T23:59:59Z", micro: "1969-12-31T23:59:59.000001Z", wait: "-1h30m0.5s" },
    },
    { name: "an integer or a text", spec: { port: "http" } },
    { name: "a negative port", spec: { port: -1 } },
    {
      name: "integers",
      spec: {
        numbers: [0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 2147483647, -1, -2147483648],
        big: 4503599627370496,
        count: 4294967295,
      },
    },
    { name: "integers beyond 2^53", spec: { big: 9223372036854775807n } },
    { name: "negative integers beyond 2^53", spec: { big: -9223372036854775808n } },
    { name: "a float", spec: { ratio: 0.1 } },
    { name: "any JSON", spec: { raw: { b: [1, { c: "<" }], a: null } } },
    { name: "long texts", spec: { labels: { a: "x".repeat(40_000), b: "é".repeat(20_000) } } },
  ];
  for (const c of cases) {
    it(c.name, () => {
      const object = specOf(c.spec) as { spec: { items: unknown } };
      if (Array.isArray(object.spec.items) && object.spec.items.length === 0) object.spec.items = null; // protobuf has no empty lists
      expect(decodeProtobufObject(encodeProtobufObject(object, thing), thing)).toEqual(object);
    });
  }
  it("__proto__ as a key", () => {
    const object = decodeJson(new TextEncoder().encode(`{"spec":{"labels":{"__proto__":"a"}}}`), thing).object;
    const again = decodeProtobuf(encodeProtobuf(object, thing), thing) as { spec: { labels: object } };
    expect(Object.entries(again.spec.labels)).toEqual([["__proto__", "a"]]);
    expect(Object.getPrototypeOf(again.spec.labels)).toBe(Object.prototype);
  });
  it("a result is not touched by later ones", () => {
    const first = encodeProtobuf(specOf({ path: "/first" }), thing);
    const before = hex(first);
    for (let i = 0; i < 1000; i++) encodeProtobuf(specOf({ path: `/${i}`.repeat(20) }), thing);
    expect(hex(first)).toBe(before);
  });
});

describe("what Go writes", () => {
  it("zeros of members that are no pointers", () =>
    expect(hex(encodeProtobuf({}, thing))).toBe(hex(bytes("1215 1a020a00 3203 0a0130 4206 080010001a00 4a00 7a00"))));
  it("an envelope with empty ends", () =>
    expect(hex(wrapEnvelope(bytes("0a00"), { apiVersion: "v1", kind: "Pod" }))).toBe(
      hex(bytes("6b387300 0a09 0a027631 1203506f64 1202 0a00 1a00 2200")),
    ));
});

describe("reading what others write", () => {
  const read = (text: string): unknown =>
    (decodeProtobuf(bytes(text), thing) as { spec: Record<string, unknown> }).spec;
  it("unknown fields are skipped", () =>
    expect(read("f80701 fa0703616263 fd0700000000 f9070000000000000000 fb0708011203616263fc07 1200")).toMatchObject({
      items: null,
    }));
  it("packed numbers are read", () => expect(read("1207 9201 04 0102ac02")).toMatchObject({ numbers: [1, 2, 300] }));
  it("a map entry without a value has the zero", () =>
    expect(read("1205 1203 0a0161")).toMatchObject({ labels: { a: "" } }));
  it("keys out of order are put in order", () =>
    expect(Object.keys((read("120e 1205 0a0162 1200 1205 0a0161 1200") as { labels: object }).labels)).toEqual([
      "a",
      "b",
    ]));
});

describe("refusing", () => {
  const cases = [
    { name: "nothing", text: "", message: "empty data" },
    {
      name: "JSON",
      text: "7b7d",
      message: "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    },
    { name: "an empty envelope", text: "6b387300", message: "empty body" },
    { name: "a length beyond the end", text: "6b387300 12 05 00", message: "unexpected EOF" },
    { name: "a field cut in the middle", text: "6b387300 12 04 12 02 1a05", message: "unexpected EOF" },
    { name: "a varint without end", text: "6b387300 ffffffffffffffffffffff", message: "proto: integer overflow" },
    { name: "the field 0", text: "6b387300 12 02 0000", message: "proto: illegal tag 0 (wire type 0)" },
    { name: "a wrong wire type", text: "6b387300 12 02 1000", message: "proto: wrong wireType = 0 for field spec" },
    { name: "an end without a group", text: "6b387300 12 01 fc", message: "unexpected EOF" },
  ];
  for (const c of cases) {
    it(c.name, () => {
      expect(() => decodeProtobufObject(bytes(c.text), thing)).toThrow(DecodeError);
      expect(() => decodeProtobufObject(bytes(c.text), thing)).toThrow(c.message);
    });
  }
  it("nesting without end", () => {
    let message = new Uint8Array(0);
    for (let i = 0; i < 3000; i++)
      message = Buffer.concat([Uint8Array.of(0x2a), varint(message.length), message]) as Uint8Array<ArrayBuffer>;
    expect(() => decodeProtobuf(Buffer.concat([Uint8Array.of(0x12), varint(message.length), message]), thing)).toThrow(
      "exceeded max depth",
    );
    expect(decodeProtobuf(bytes("1200"), thing)).toMatchObject({ spec: { items: null } });
  });
  const varint = (value: number): Uint8Array =>
    value < 128 ? Uint8Array.of(value) : Buffer.concat([Uint8Array.of((value & 127) | 128), varint(value >> 7)]);
});

describe("watch frames", () => {
  const object = encodeProtobufObject(specOf({ path: "/a" }), thing);
  const frame = encodeWatchFrame({ type: "ADDED", object });
  it("begin with their length", () =>
    expect(new DataView(frame.buffer, frame.byteOffset).getUint32(0)).toBe(frame.length - 4));
  it("hold the type and the object in its envelope", () => {
    const event = decodeWatchFrame(frame.subarray(4));
    expect(event.type).toBe("ADDED");
    expect(readEnvelope(event.object)).toMatchObject({ kind: "Thing", apiVersion: "test/v1" });
  });
  it("are found in chunks of any size", () => {
    const stream = Buffer.concat([frame, frame, frame]);
    for (const size of [1, 3, 4, 5, frame.length, frame.length + 1, 1000]) {
      const reader = new FrameReader();
      const frames: string[] = [];
      for (let at = 0; at < stream.length; at += size)
        frames.push(...reader.push(stream.subarray(at, at + size)).map(hex));
      expect(frames).toEqual([hex(frame.subarray(4)), hex(frame.subarray(4)), hex(frame.subarray(4))]);
      expect(reader.complete).toBe(true);
    }
  });
  it("that are too long are refused before they are gathered", () =>
    expect(() => new FrameReader(10).push(frame)).toThrow("longer than the 10 allowed"));
});
