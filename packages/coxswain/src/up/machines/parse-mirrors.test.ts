import { describe, expect, it } from "vitest";
import { parseMirrors } from "./parse-mirrors.js";

describe("--registry-mirror", () => {
  it("asks several mirrors of a registry in their order", () =>
    expect(parseMirrors(["docker.io=https://a:5000", "quay.io=http://b", "docker.io=https://c"])).toEqual([
      { registry: "docker.io", urls: ["https://a:5000", "https://c"] },
      { registry: "quay.io", urls: ["http://b"] },
    ]));
  for (const text of ["docker.io", "=https://a", "../x=https://a", "a/b=https://a", "docker.io=ftp://a", "a=b"])
    it(`refuses ${text}`, () => expect(() => parseMirrors([text])).toThrow("must be registry=url"));
});
