import { describe, expect, it } from "vitest";
import { createTokenFileAuthenticator, parseTokenFile } from "./token-file.js";

const question = { audiences: [], warn: () => {}, annotate: () => {} };

describe("the token file", () => {
  const authenticate = createTokenFileAuthenticator('admin-token,admin,1,"system:masters,ops"\nplain,jane,2\n');
  it("knows a token", () =>
    expect(authenticate("admin-token", question)).toEqual({
      user: { name: "admin", uid: "1", groups: ["system:masters", "ops"] },
    }));
  it("a user may have no groups", () =>
    expect(authenticate("plain", question)).toEqual({ user: { name: "jane", uid: "2", groups: [] } }));
  it("does not know others", () => expect(authenticate("admin-toke", question)).toBeUndefined());
  it("records that are too short are refused", () =>
    expect(() => parseTokenFile("a,b,c\nd,e\n")).toThrow(
      "the token file must have at least 3 columns (token, user name, user uid), found 2",
    ));
  it("quotes that do not end are refused", () =>
    expect(() => parseTokenFile('a,b,c,"x\n')).toThrow(
      'parse error on line 1, column 10: extraneous or missing " in quoted-field',
    ));
  it("records without a token are passed over", () => expect(parseTokenFile(",b,c\n")).toEqual([]));
});
