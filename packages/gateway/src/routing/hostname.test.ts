import { describe, expect, it } from "vitest";
import { hostOf, intersectHostnames, namesOfHost } from "./hostname.js";

describe("the hosts that a listener and a route have in common", () => {
  const rows: [string, string, string, string | undefined][] = [
    ["any host of both", "", "", ""],
    ["a listener for any host takes the route's", "", "a.b", "a.b"],
    ["a route without hosts takes the listener's", "a.b", "", "a.b"],
    ["equal names", "a.b", "a.b", "a.b"],
    ["other names", "a.b", "c.b", undefined],
    ["a name below the listener's wildcard", "*.b", "a.b", "a.b"],
    ["a name two labels below it", "*.b", "x.a.b", "x.a.b"],
    ["the wildcard's own domain is not below it", "*.b", "b", undefined],
    ["a name below the route's wildcard", "a.b", "*.b", "a.b"],
    ["the narrower of two wildcards", "*.b", "*.a.b", "*.a.b"],
    ["the narrower of two wildcards, the other way round", "*.a.b", "*.b", "*.a.b"],
    ["a name that only ends alike", "*.b", "ab", undefined],
  ];
  for (const [name, listener, route, want] of rows)
    it(name, () => expect(intersectHostnames(listener, route)).toBe(want));
});

describe("the host of a request", () => {
  it("has names from the most specific one to any", () =>
    expect(namesOfHost("a.b.c")).toEqual(["a.b.c", "*.b.c", "*.c", ""]));
  it("is written without its port, in lower case", () => {
    expect(hostOf("Web.Localhost:8080")).toBe("web.localhost");
    expect(hostOf("[::1]:80")).toBe("[::1]");
    expect(hostOf("a")).toBe("a");
  });
});
