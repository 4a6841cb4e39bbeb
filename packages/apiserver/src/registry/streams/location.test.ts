import { describe, expect, it } from "vitest";
import {
  dialAddress,
  encodeQuery,
  escapePath,
  hostOf,
  type Location,
  targetOf,
  trustingTls,
  urlOf,
} from "./location.js";

const at = (change: Partial<Location>): Location => ({
  scheme: "https",
  hostname: "n1",
  port: "10250",
  path: "/logs/",
  query: "",
  tls: trustingTls,
  ...change,
});

const cases = [
  {
    name: "a name and a port",
    location: at({}),
    host: "n1:10250",
    dial: "n1:10250",
    target: "/logs/",
    url: "https://n1:10250/logs/",
  },
  {
    name: "the scheme's own port",
    location: at({ port: "" }),
    host: "n1",
    dial: "n1:443",
    target: "/logs/",
    url: "https://n1/logs/",
  },
  {
    name: "the other scheme's own port",
    location: at({ scheme: "http", port: "" }),
    host: "n1",
    dial: "n1:80",
    target: "/logs/",
    url: "http://n1/logs/",
  },
  {
    name: "an IPv6 address",
    location: at({ hostname: "fd00::1" }),
    host: "[fd00::1]:10250",
    dial: "[fd00::1]:10250",
    target: "/logs/",
    url: "https://[fd00::1]:10250/logs/",
  },
  {
    name: "no path, and a query",
    location: at({ path: "", query: "a=1" }),
    host: "n1:10250",
    dial: "n1:10250",
    target: "/?a=1",
    url: "https://n1:10250?a=1",
  },
  {
    name: "a path to be escaped",
    location: at({ path: "/a b/?#" }),
    host: "n1:10250",
    dial: "n1:10250",
    target: "/a%20b/%3F%23",
    url: "https://n1:10250/a%20b/%3F%23",
  },
];

describe("where a request is handed on to", () => {
  for (const { name, location, host, dial, target, url } of cases) {
    it(name, () =>
      expect([hostOf(location), dialAddress(location), targetOf(location), urlOf(location)]).toEqual([
        host,
        dial,
        target,
        url,
      ]),
    );
  }
  // As net/url of Go writes them.
  it("escapes paths as Go does", () =>
    expect(escapePath("/a b$&+,:;=@!'()*[]<>%ä/")).toBe("/a%20b$&+,:;=@%21%27%28%29%2A%5B%5D%3C%3E%25%C3%A4/"));
  it("writes queries as Go does: by name, each name's values in their order", () =>
    expect(
      encodeQuery([
        ["tty", "1"],
        ["command", "sh"],
        ["command", "-c"],
        ["command", "a b&c=d+e*(f)"],
      ]),
    ).toBe("command=sh&command=-c&command=a+b%26c%3Dd%2Be%2A%28f%29&tty=1"));
});
