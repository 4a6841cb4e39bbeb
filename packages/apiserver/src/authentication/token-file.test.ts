import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../server/request.js";
import { createTokenFileAuthenticator, parseTokenFile } from "./token-file.js";

const asked = (authorization: string): ApiRequest => ({ header: (name: string) => (name === "authorization" ? authorization : undefined) }) as unknown as ApiRequest;

describe("the token file", () => {
  const authenticate = createTokenFileAuthenticator('admin-token,admin,1,"system:masters,ops"\nplain,jane,2\n');
  it("knows a token", () => expect(authenticate(asked("Bearer admin-token"))).toEqual({ name: "admin", uid: "1", groups: ["system:masters", "ops"] }));
  it("a user may have no groups", () => expect(authenticate(asked("bearer plain"))).toEqual({ name: "jane", uid: "2", groups: [] }));
  it("does not know others", () => expect(authenticate(asked("Bearer admin-toke"))).toBeUndefined());
  it("leaves other schemes alone", () => expect(authenticate(asked("Basic YTpi"))).toBeUndefined());
  it("a broken line is named", () => expect(() => parseTokenFile("a,b,c\nnonsense\n")).toThrow("line 2 of the token file"));
});
