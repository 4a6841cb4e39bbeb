import { describe, expect, it } from "vitest";
import { createTokenFileAuthenticator, parseTokenFile } from "./token-file.js";

const question = { audiences: [], warn: () => {}, annotate: () => {} };

describe("the token file", () => {
  const authenticate = createTokenFileAuthenticator('admin-token,admin,1,"system:masters,ops"\nplain,jane,2\n');
  it("knows a token", () => expect(authenticate("admin-token", question)).toEqual({ user: { name: "admin", uid: "1", groups: ["system:masters", "ops"] } }));
  it("a user may have no groups", () => expect(authenticate("plain", question)).toEqual({ user: { name: "jane", uid: "2", groups: [] } }));
  it("does not know others", () => expect(authenticate("admin-toke", question)).toBeUndefined());
  it("a broken line is named", () => expect(() => parseTokenFile("a,b,c\nnonsense\n")).toThrow("line 2 of the token file"));
});
