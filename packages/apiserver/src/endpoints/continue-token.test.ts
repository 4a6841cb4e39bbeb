import { describe, expect, it } from "vitest";
import { decodeContinue, encodeContinue } from "./continue-token.js";

const token = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const v = "meta.k8s.io/v1";

describe("continue tokens", () => {
  it("are read as they were written", () =>
    expect(decodeContinue(encodeContinue({ revision: 7, start: "ns/b\0" }))).toEqual({ revision: 7, start: "ns/b\0" }));
  it("may begin with a slash", () =>
    expect(decodeContinue(token({ v, rv: -1, start: "/b" }))).toEqual({ revision: -1, start: "b" }));

  const refused = [
    { name: "not base64", token: "a b", why: ": illegal base64 data at input byte 1" },
    { name: "base64 of an impossible length", token: "abcde", why: ": illegal base64 data at input byte 4" },
    { name: "no JSON", token: token("{"), why: ": unexpected end of JSON input" },
    {
      name: "no object",
      token: token([]),
      why: ": json: cannot unmarshal array into Go value of type storage.continueToken",
    },
    { name: "no version", token: token({}), why: ": server does not recognize this encoded version " },
    { name: "another version", token: token({ v: "v9" }), why: ": server does not recognize this encoded version v9" },
    {
      name: "no revision",
      token: token({ v, start: "a" }),
      why: ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    },
    {
      name: "a revision that is text",
      token: token({ v, rv: "1", start: "a" }),
      why: ": json: cannot unmarshal string into Go struct field continueToken.rv of type int64",
    },
    { name: "no key", token: token({ v, rv: 1 }), why: ": encoded start key empty (version meta.k8s.io/v1)" },
    { name: "a key that climbs", token: token({ v, rv: 1, start: "../secrets/" }), why: ": ../secrets/" },
  ];
  for (const { name, token: text, why } of refused)
    it(`${name} is refused`, () =>
      expect(() => decodeContinue(text)).toThrow(`invalid continue token: continue key is not valid${why}`));
});
