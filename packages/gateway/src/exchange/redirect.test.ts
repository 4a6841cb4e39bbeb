import { describe, expect, it } from "vitest";
import { changePath, planRedirect } from "./redirect.js";

describe("paths (the table of HTTPPathModifier.replacePrefixMatch)", () => {
  const rows: [path: string, prefix: string, replacement: string, want: string][] = [
    ["/foo/bar", "/foo", "/xyz", "/xyz/bar"],
    ["/foo/bar", "/foo", "/xyz/", "/xyz/bar"],
    ["/foo", "/foo", "/xyz", "/xyz"],
    ["/foo/", "/foo", "/xyz", "/xyz/"],
    ["/foo/bar", "/foo", "", "/bar"],
    ["/foo/", "/foo", "", "/"],
    ["/foo", "/foo", "", "/"],
    ["/foo/", "/foo", "/", "/"],
    ["/foo", "/foo", "/", "/"],
  ];
  for (const [path, prefix, replacement, want] of rows)
    it(`${path} with ${prefix} replaced by "${replacement}" is ${want}`, () =>
      expect(changePath(path, prefix, { type: "ReplacePrefixMatch", replacePrefixMatch: replacement })).toBe(want));
  it("a whole path is replaced", () =>
    expect(changePath("/a/b", "", { type: "ReplaceFullPath", replaceFullPath: "/c" })).toBe("/c"));
});

describe("redirects", () => {
  const request = {
    scheme: "http",
    host: "a.test",
    port: 8080,
    path: "/x",
    query: "q=1",
    matchedPrefix: "",
    redirectPorts: { http: 8080, https: 443 },
  };
  const rows: { name: string; port?: number; filter: Parameters<typeof planRedirect>[1]; want: string }[] = [
    { name: "keeps what is not named", filter: {}, want: "http://a.test:8080/x?q=1" },
    { name: "leaves the port of the scheme out", port: 80, filter: {}, want: "http://a.test/x?q=1" },
    { name: "has the port of its scheme", filter: { scheme: "https" }, want: "https://a.test/x?q=1" },
    { name: "has the port that its scheme was moved to", filter: { scheme: "http" }, want: "http://a.test:8080/x?q=1" },
    { name: "has the port of the filter", filter: { scheme: "https", port: 8443 }, want: "https://a.test:8443/x?q=1" },
    { name: "goes to another host", filter: { hostname: "b.test" }, want: "http://b.test:8080/x?q=1" },
  ];
  for (const { name, port = 8080, filter, want } of rows)
    it(name, () => expect(planRedirect({ ...request, port }, filter)).toEqual({ status: 302, location: want }));
});
