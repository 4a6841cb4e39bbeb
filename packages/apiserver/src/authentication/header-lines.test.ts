import { describe, expect, it } from "vitest";
import { readWish } from "../filters/impersonate-wish.js";
import type { ApiRequest } from "../server/request.js";
import { linesOf, unescapeKey } from "./header-lines.js";

/** As a listener hands them on: bytes as letters of the same numbers. */
const bytes = (text: string): string => Buffer.from(text).toString("latin1");
const sent = (...lines: [name: string, value: string][]): ApiRequest => ({ headerNames: () => lines.map(([name]) => name.toLowerCase()), header: () => undefined, wire: { headerLines: () => lines } }) as unknown as ApiRequest;

/** As kube-apiserver 1.36.4 reads them. */
describe("headers that name somebody", () => {
  it("are read line by line, and as UTF-8", () =>
    expect(linesOf(sent(["X-Remote-User", bytes("josé")], ["X-Remote-Group", "a, b"], ["x-remote-group", "\tc "], ["X-Remote-Uid", "\xe9"]))).toEqual([
      { name: "x-remote-user", value: "josé" },
      { name: "x-remote-group", value: "a, b" },
      { name: "x-remote-group", value: "c" },
      { name: "x-remote-uid", value: "\ufffd" },
    ]));
  it("of an impersonated user and uid the first line counts, of groups each", () =>
    expect(readWish(sent(["Impersonate-User", bytes("josé")], ["Impersonate-User", "root"], ["Impersonate-Uid", "1"], ["Impersonate-Uid", "2"], ["Impersonate-Group", "a, system:masters"], ["Impersonate-Group", "b"], ["Impersonate-Extra-A%2fb", "x"], ["impersonate-extra-a%2fb", "y, z"]))).toEqual({
      user: "josé",
      uid: "1",
      groups: ["a, system:masters", "b"],
      extra: [["a/b", ["x", "y, z"]]],
    }));
  const keys = [["foo%2fbar", "foo/bar"], ["caf%c3%a9", "café"], ["%ff", "\ufffd"], ["a%zz%41", "a%zz%41"], ["%", "%"]];
  for (const [key = "", name] of keys) it(`the name of an extra: ${key}`, () => expect(unescapeKey(key)).toBe(name));
});
