import { describe, expect, it } from "vitest";
import { sourceAddresses } from "../audit/source-addresses.js";
import { readImpersonation } from "../filters/impersonation-request.js";
import { firstLine, linesOf, unescapeKey } from "./header-lines.js";
import type { ApiRequest } from "./request.js";

/** As a listener hands them on: bytes as letters of the same numbers. */
const bytes = (text: string): string => Buffer.from(text).toString("latin1");
const sent = (...lines: [name: string, value: string][]): ApiRequest =>
  ({
    headerNames: () => lines.map(([name]) => name.toLowerCase()),
    header: (name: string) =>
      lines.flatMap(([each, value]) => (each.toLowerCase() === name ? [value] : [])).join(", ") || undefined,
    caller: { via: "socket", remoteAddress: "127.0.0.1" },
    wire: { headerLines: () => lines },
  }) as unknown as ApiRequest;

/** As kube-apiserver 1.36.4 reads them. */
describe("headers that name somebody", () => {
  it("are read line by line, and as UTF-8", () =>
    expect(
      linesOf(
        sent(
          ["X-Remote-User", bytes("josé")],
          ["X-Remote-Group", "a, b"],
          ["x-remote-group", "\tc "],
          ["X-Remote-Uid", "\xe9"],
        ),
      ),
    ).toEqual([
      { name: "x-remote-user", value: "josé" },
      { name: "x-remote-group", value: "a, b" },
      { name: "x-remote-group", value: "c" },
      { name: "x-remote-uid", value: "\ufffd" },
    ]));
  it("of an impersonated user and uid the first line counts, of groups each", () =>
    expect(
      readImpersonation(
        sent(
          ["Impersonate-User", bytes("josé")],
          ["Impersonate-User", "root"],
          ["Impersonate-Uid", "1"],
          ["Impersonate-Uid", "2"],
          ["Impersonate-Group", "a, system:masters"],
          ["Impersonate-Group", "b"],
          ["Impersonate-Extra-A%2fb", "x"],
          ["impersonate-extra-a%2fb", "y, z"],
        ),
      ),
    ).toEqual({
      user: "josé",
      uid: "1",
      groups: ["a, system:masters", "b"],
      extra: [["a/b", ["x", "y, z"]]],
    }));
  it("where one line is wanted it is the first", () => {
    const request = sent(
      ["Audit-Id", "one"],
      ["audit-id", "two"],
      ["User-Agent", bytes("é")],
      ["X-Forwarded-For", "1.1.1.1, 3.3.3.3"],
      ["X-Forwarded-For", "2.2.2.2"],
    );
    expect(["audit-id", "user-agent", "host"].map((name) => firstLine(request, name))).toEqual(["one", "é", undefined]);
    expect(sourceAddresses(request)).toEqual(["1.1.1.1", "3.3.3.3", "127.0.0.1"]);
  });
  const keys = [
    ["foo%2fbar", "foo/bar"],
    ["caf%c3%a9", "café"],
    ["%ff", "\ufffd"],
    ["a%zz%41", "a%zz%41"],
    ["%", "%"],
  ];
  for (const [key = "", name] of keys) it(`the name of an extra: ${key}`, () => expect(unescapeKey(key)).toBe(name));
});
