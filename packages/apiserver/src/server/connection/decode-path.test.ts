import { describe, expect, it } from "vitest";
import { decodePath } from "./decode-path.js";

describe("decodePath", () => {
  const cases: { name: string; path: string; decoded: string | undefined }[] = [
    { name: "nothing to decode", path: "/api/v1/pods", decoded: "/api/v1/pods" },
    { name: "escapes of several bytes", path: "/%C3%9c/a%2Fb", decoded: "/Ü/a/b" },
    { name: "a byte that is no UTF-8", path: "/a%ffb", decoded: "/a\ufffdb" },
    { name: "characters beyond Latin-1 stay", path: "/☃%20", decoded: "/☃ " },
    { name: "an escape that is none", path: "/%zz", decoded: undefined },
    { name: "an escape cut short", path: "/a%2", decoded: undefined },
    { name: "JavaScript's own escapes are none", path: "/%u0041", decoded: undefined },
  ];
  for (const { name, path, decoded } of cases) it(name, () => expect(decodePath(path)).toBe(decoded));
});
