import { describe, expect, it } from "vitest";
import { locateValues } from "./locate-values.js";

describe("values of a JSON patch in the object that it made", () => {
  const object = { spec: { a: [5], "b/c~d": 6 } };
  const rows = [
    { name: "a member", path: "/spec", value: object.spec },
    { name: "an item", path: "/spec/a/0", value: 5 },
    { name: "escaped steps", path: "/spec/b~1c~0d", value: 6 },
    { name: "the object itself", path: "", value: object },
    { name: "nothing there", path: "/spec/x/y", value: undefined },
    { name: "beyond a number", path: "/spec/a/0/x", value: undefined },
    { name: "no own member", path: "/spec/constructor", value: undefined },
    { name: "no path", path: undefined, value: undefined },
    { name: "a path that is no text", path: 5, value: undefined },
  ];
  for (const { name, path, value } of rows)
    it(name, () => expect(locateValues([{ op: "add", path }], object)).toEqual([{ value }]));
  it("of something else than an operation", () => expect(locateValues([null], object)).toEqual([{ value: undefined }]));
});
