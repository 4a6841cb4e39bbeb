import { describe, expect, expectTypeOf, it } from "vitest";
import { type Decoded, decode, type Encodable, encode, type MessageType, message, ProtobufError } from "./index.js";

const Inner = message({ a: { number: 1, type: "int32" }, name: { number: 2, type: "string" } });
const All = message({
  text: { number: 1, type: "string" },
  data: { number: 2, type: "bytes" },
  flag: { number: 3, type: "bool" },
  small: { number: 4, type: "int32" },
  big: { number: 5, type: "int64" },
  huge: { number: 6, type: "bigint64" },
  real: { number: 7, type: "double" },
  inner: { number: 8, type: Inner },
  many: { number: 9, type: Inner, repeated: true },
  numbers: { number: 10, type: "uint32", repeated: true },
  texts: { number: 11, type: "string", repeated: true },
  labels: { number: 12, type: { map: "string" } },
  maybe: { number: 2000, type: "int64", optional: true },
});
interface TreeFields {
  readonly [name: string]: { number: number; type: "int32" | (() => MessageType); repeated?: boolean };
}
const Tree: MessageType<TreeFields> = message({
  value: { number: 1, type: "int32" },
  children: { number: 2, type: () => Tree, repeated: true },
});

const empty: Decoded<typeof All> = {
  text: "",
  data: Buffer.alloc(0),
  flag: false,
  small: 0,
  big: 0,
  huge: 0n,
  real: 0,
  inner: undefined,
  many: [],
  numbers: [],
  texts: [],
  labels: new Map(),
  maybe: undefined,
};

describe("protobuf messages", () => {
  // Hexadecimal as the protobuf documentation and Go's library write them.
  const cases: { name: string; value: Encodable<typeof All>; hex: string }[] = [
    { name: "nothing", value: {}, hex: "" },
    {
      name: "zero values are left out",
      value: { text: "", data: Buffer.alloc(0), flag: false, small: 0, big: 0, huge: 0n, real: 0, numbers: [] },
      hex: "",
    },
    { name: "a string", value: { text: "testing" }, hex: "0a0774657374696e67" },
    { name: "bytes", value: { data: Buffer.from([0, 255]) }, hex: "120200ff" },
    { name: "a bool", value: { flag: true }, hex: "1801" },
    { name: "150", value: { small: 150 }, hex: "209601" },
    { name: "-1 takes ten bytes", value: { small: -1 }, hex: "20ffffffffffffffffff01" },
    { name: "2^53-1", value: { big: Number.MAX_SAFE_INTEGER }, hex: "28ffffffffffffff0f" },
    { name: "-2^40", value: { big: -(2 ** 40) }, hex: "288080808080e0ffffff01" },
    { name: "2^63-1 as a bigint", value: { huge: 2n ** 63n - 1n }, hex: "30ffffffffffffffff7f" },
    { name: "a double", value: { real: 1.5 }, hex: "39000000000000f83f" },
    { name: "a message that is there but empty", value: { inner: {} }, hex: "4200" },
    {
      name: "nested and repeated messages",
      value: { inner: { a: 150 }, many: [{ a: 1 }, { name: "b" }] },
      hex: "4203089601 4a020801 4a03120162",
    },
    { name: "packed numbers", value: { numbers: [3, 270, 86942] }, hex: "5206038e029ea705" },
    { name: "strings", value: { texts: ["a", ""] }, hex: "5a01615a00" },
    {
      name: "a map",
      value: {
        labels: new Map([
          ["a", "b"],
          ["__proto__", ""],
        ]),
      },
      hex: "62060a0161120162 620b0a095f5f70726f746f5f5f",
    },
    { name: "presence of zero", value: { maybe: 0 }, hex: "807d00" },
  ];
  for (const { name, value, hex } of cases) {
    it(name, () => {
      expect(encode(All, value).toString("hex")).toBe(hex.replaceAll(" ", ""));
      const read = decode(All, fromHex(hex));
      // Inner messages have all their fields when read, so compare what is written from them.
      expect(encode(All, read).toString("hex")).toBe(hex.replaceAll(" ", ""));
      if (!value.inner && !value.many) expect(read).toEqual({ ...empty, ...value });
    });
  }

  it("has exact types", () => {
    const read = decode(All, Buffer.alloc(0));
    expect(read).toEqual(empty);
    expectTypeOf(read.huge).toEqualTypeOf<bigint>();
    expectTypeOf(read.inner?.name).toEqualTypeOf<string | undefined>();
    expectTypeOf(read.maybe).toEqualTypeOf<number | undefined>();
    expectTypeOf(read.numbers).toEqualTypeOf<readonly number[]>();
    expectTypeOf(read.labels).toEqualTypeOf<ReadonlyMap<string, string>>();
  });

  for (const length of [0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152]) {
    it(`a nested message of about ${length} bytes`, () => {
      const name = "x".repeat(length);
      expect(decode(All, encode(All, { inner: { name }, text: "after" }))).toMatchObject({
        inner: { a: 0, name },
        text: "after",
      });
    });
  }

  it("reads numbers that repeat unpacked, and passes over what it does not know", () => {
    const hex = "5003 508e02 f80101 f1010000000000000000 fa0103616263 f50100000000 1801";
    expect(decode(All, fromHex(hex))).toMatchObject({ numbers: [3, 270], flag: true });
  });

  it("refers to itself", () => {
    expect(decode(Tree, encode(Tree, { value: 1, children: [{ value: 2, children: [] }] } as never))).toEqual({
      value: 1,
      children: [{ value: 2, children: [] }],
    });
  });

  const broken = [
    { name: "a truncated number", hex: "2096" },
    { name: "a truncated string", hex: "0a05616263" },
    { name: "a length beyond all bounds", hex: "0affffffffffffffff7f" },
    { name: "an endless number", hex: "288080808080808080808001" },
    { name: "a group", hex: "fb01" },
    { name: "another wire type", hex: "0801" },
    { name: "a nested message longer than its parent", hex: "42050801" },
  ];
  for (const { name, hex } of broken)
    it(`refuses ${name}`, () => expect(() => decode(All, fromHex(hex))).toThrow(ProtobufError));

  it("refuses endless nesting", () => {
    let bytes = Buffer.alloc(0);
    for (let depth = 0; depth < 200; depth += 1)
      bytes = Buffer.concat([Buffer.from([0x12]), encodeLength(bytes.length), bytes]);
    expect(() => decode(Tree, bytes)).toThrow(/nested too deeply/);
  });
});

const fromHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");
const encodeLength = (length: number): Buffer =>
  length < 128 ? Buffer.from([length]) : Buffer.from([(length & 0x7f) | 0x80, length >> 7]);
