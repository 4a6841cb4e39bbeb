import { describe, expect, it } from "vitest";
import { requestTarget } from "./request-target.js";

describe("the path of a probe on the request line", () => {
  const cases = [
    { name: "an empty path is the root", path: "", target: "/" },
    { name: "a relative path is rooted", path: "healthz", target: "/healthz" },
    { name: "a query stays", path: "/a?b=c&d", target: "/a?b=c&d" },
    { name: "a fragment is dropped", path: "/a#b", target: "/a" },
    { name: "what is escaped stays escaped", path: "/a%2Fb", target: "/a%2Fb" },
    { name: "spaces and other letters are escaped", path: "/a b/ü?c d", target: "/a%20b/%C3%BC?c%20d" },
    { name: "dot segments stay", path: "/a/../b/./c", target: "/a/../b/./c" },
    { name: "a host in front is passed over", path: "//elsewhere/a", target: "/a" },
    { name: "a scheme and host in front are passed over", path: "https://elsewhere:1/a?b", target: "/a?b" },
    { name: "a path that is no URL is escaped wholly", path: "/a%zz?b", target: "/a%25zz%3Fb" },
    {
      name: "line breaks cannot leave the request line",
      path: "/a HTTP/1.1\r\nX: y",
      target: "/a%20HTTP/1.1%0D%0AX:%20y",
    },
  ];
  for (const { name, path, target } of cases) it(name, () => expect(requestTarget(path)).toBe(target));
});
