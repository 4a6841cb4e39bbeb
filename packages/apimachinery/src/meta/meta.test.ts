import { describe, expect, it } from "vitest";
import * as meta from "./index.js";

describe("group versions", () => {
  const cases = [
    { text: "v1", parsed: { group: "", version: "v1" } },
    { text: "apps/v1", parsed: { group: "apps", version: "v1" } },
    { text: "", parsed: { group: "", version: "" } },
    { text: "/", parsed: { group: "", version: "" } },
    { text: "apps/", parsed: { group: "apps", version: "" } },
    { text: "/v1", parsed: { group: "", version: "v1" } },
    { text: "a/b/c", parsed: undefined },
  ];
  for (const c of cases) it(JSON.stringify(c.text), () => expect(meta.parseGroupVersion(c.text)).toEqual(c.parsed));
  it("is written back", () => {
    expect(meta.formatGroupVersion({ group: "apps", version: "v1" })).toBe("apps/v1");
    expect(meta.formatGroupVersion({ group: "", version: "v1" })).toBe("v1");
    expect(meta.formatGroupVersionKind({ group: "", version: "v1", kind: "Pod" })).toBe("/v1, Kind=Pod");
  });
  it("a resource with two dots may hold a version", () =>
    expect(meta.parseResourceArg("deployments.v1.apps")).toEqual({
      resource: { group: "v1.apps", resource: "deployments" },
      withVersion: { group: "apps", version: "v1", resource: "deployments" },
    }));
  it("a kind with one dot holds a group", () =>
    expect(meta.parseKindArg("Deployment.apps")).toEqual({ kind: { group: "apps", kind: "Deployment" } }));
});

describe("object keys", () => {
  it("name alone without a namespace", () => expect(meta.objectKey({ metadata: { name: "n" } })).toBe("n"));
  it("namespace and name", () => expect(meta.objectKey({ metadata: { name: "n", namespace: "ns" } })).toBe("ns/n"));
  it("splits", () => expect(meta.splitObjectKey("ns/n")).toEqual({ namespace: "ns", name: "n" }));
  it("refuses more", () => expect(meta.splitObjectKey("a/b/c")).toBeUndefined());
});

describe("generated names", () => {
  const random = { next: () => 0.999, bytes: () => new Uint8Array(), drawInto: () => {} };
  it("are the base and five characters", () => expect(meta.generateName("web-", random)).toBe("web-99999"));
  it("are never longer than 63", () =>
    expect(meta.generateName("a".repeat(80), random)).toBe(`${"a".repeat(58)}99999`));
});

describe("versions by maturity", () => {
  it("stable before beta before alpha, newer before older, other names last", () =>
    expect(
      meta.sortKubeVersions([
        "foo10",
        "v1alpha1",
        "v11beta2",
        "v10beta3",
        "v3beta1",
        "v12alpha1",
        "v1",
        "foo1",
        "v2",
        "v11alpha2",
        "v10",
      ]),
    ).toEqual([
      "v10",
      "v2",
      "v1",
      "v11beta2",
      "v10beta3",
      "v3beta1",
      "v12alpha1",
      "v11alpha2",
      "v1alpha1",
      "foo1",
      "foo10",
    ]));
});
