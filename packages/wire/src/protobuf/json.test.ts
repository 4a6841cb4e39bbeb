import { describe, expect, it } from "vitest";
import { fromJson, toJson } from "./json.js";
import { type MessageType, message } from "./message.js";

const inner = message({ id: { number: 1, type: "bigint64" } });
const type = message({
  name: { number: 1, type: "string" },
  raw_bytes: { number: 2, type: "bytes" },
  count: { number: 3, type: "int64" },
  order: { number: 4, type: "enum", names: ["NONE", "UP"] },
  flags: { number: 5, type: "bool", repeated: true },
  leases: { number: 6, type: inner, repeated: true },
  one: { number: 7, type: inner },
  maybe: { number: 8, type: "int64", optional: true },
});

describe("messages as JSON", () => {
  it("zero values are left out, but not of optional fields", () =>
    expect(toJson(type, { name: "", count: 0, order: 0, flags: [], maybe: 0 })).toEqual({ maybe: "0" }));

  it("64-bit integers are strings, bytes base64, enums names", () =>
    expect(
      toJson(type, { raw_bytes: Buffer.from("hi"), count: 7, order: 1, one: { id: 2n ** 62n }, leases: [{}] }),
    ).toEqual({ raw_bytes: "aGk=", count: "7", order: "UP", one: { id: "4611686018427387904" }, leases: [{}] }));

  it("what was written is read back", () => {
    const given = { name: "n", raw_bytes: Buffer.from([1, 2]), count: 5, order: 1, flags: [true, false], maybe: 3 };
    expect(fromJson(type, JSON.parse(JSON.stringify(toJson(type, given))))).toMatchObject(given);
  });

  it("null stands for the zero value", () =>
    expect(fromJson(type, { name: null, maybe: null })).toMatchObject({ name: "", maybe: undefined, count: 0 }));

  const wrong: [name: string, json: unknown, message: string][] = [
    ["a list for a message", [], "a message is a JSON object"],
    ["a number for a text", { name: 1 }, "name cannot be 1"],
    ["a fraction for an integer", { count: 1.5 }, "count cannot be 1.5"],
    ["text for an integer", { count: "12a" }, 'count cannot be "12a"'],
    ["a name that the enum does not have", { order: "DOWN" }, 'order cannot be "DOWN"'],
    ["one value for a list", { flags: true }, "flags is a list"],
    ["a member that the message does not have", { other: 1 }, 'unknown field "other"'],
    ["a member of every object", { constructor: 1 }, 'unknown field "constructor"'],
  ];
  for (const [name, json, message] of wrong)
    it(`${name} is refused`, () => expect(() => fromJson(type, json)).toThrow(message));

  it("messages nested deeper than the stack allows are refused", () => {
    interface ListFields {
      readonly [name: string]: { number: number; type: () => MessageType };
    }
    const List: MessageType<ListFields> = message({ next: { number: 1, type: () => List } });
    let deep = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { next: deep };
    expect(() => fromJson(List, deep)).toThrow("nested too deeply");
  });
});
