import { describe, expect, it } from "vitest";
import { encodeBody, parseJsonBody } from "./json-body.js";

describe("JSON that leaves the process", () => {
  const textOf = (value: unknown) => new TextDecoder().decode(encodeBody({ as: "value", value }).bytes);
  it("has the escapes of Go's, for servers that compare texts", () =>
    expect(textOf({ args: ["a && b <c> \u2028"] })).toBe('{"args":["a \\u0026\\u0026 b \\u003cc\\u003e \\u2028"]}'));
  it("means the same", () => {
    const value = { text: "<&>", big: 2n ** 60n };
    expect(parseJsonBody(encodeBody({ as: "value", value }).bytes)).toEqual(value);
  });
});
