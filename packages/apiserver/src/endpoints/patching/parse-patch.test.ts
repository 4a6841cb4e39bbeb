import { runAtOnce } from "@coxswain/runtime/steps";
import { describe, expect, it } from "vitest";
import { parsePatch } from "./parse-patch.js";

const parse = (text: string) => runAtOnce(parsePatch(new TextEncoder().encode(text)));

describe("patches", () => {
  it("keep the order of members", () =>
    expect(JSON.stringify(parse('{"z":1,"a":{"y":1,"b":2}}').object)).toBe('{"z":1,"a":{"y":1,"b":2}}'));
  it("keep large numbers", () => expect(parse('{"n":9007199254740993}').object).toEqual({ n: 9007199254740993n }));
  it("report members that occur twice", () =>
    expect(parse('{"data":{"a":"1","a":"2"}}')).toEqual({
      object: { data: { a: "2" } },
      warnings: ['duplicate field "data.a"'],
    }));
  it("are refused in Go's words", () => expect(() => parse("{")).toThrow("unexpected end of JSON input"));
});
