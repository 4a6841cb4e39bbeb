import { describe, expect, it } from "vitest";
import { createRuntimeConfig } from "./runtime-config.js";
import { chooseServedKinds } from "./served-kinds.js";

const config = (text: string) =>
  new Map(
    text === ""
      ? []
      : text
          .split(",")
          .map((pair) => (pair.includes("=") ? (pair.split("=") as [string, string]) : ([pair, ""] as const))),
  );
const all = { enabled: () => true };
const served = (text: string, gates = all): string[] =>
  chooseServedKinds({ runtimeConfig: config(text), gates }).served.map(
    ({ group, version, resource }) => `${group}/${version}/${resource}`,
  );

describe("--runtime-config", () => {
  const refused = [
    { name: "a group nobody knows", text: "example.com/v1=true", error: "unknown api groups example.com/v1" },
    {
      name: "a version nobody knows",
      text: "apps/v7=true",
      error: "group version apps/v7 that has not been registered",
    },
    { name: "a word", text: "v2=true", error: "runtime-config invalid key v2" },
    {
      name: "no boolean",
      text: "apps/v1=maybe",
      error: 'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    },
    { name: "no boolean for many", text: "api/beta=1", error: "invalid value api/beta=1" },
    { name: "nothing at all", text: "api/all=false", error: "invalid runtime-config with only api/all=false" },
    {
      name: "a kind instead of a resource",
      text: "apps/v1/Deployment=true",
      error:
        'invalid key apps/v1/Deployment: group/version/resource and resource is always lowercase plural, not "Deployment"',
    },
  ];
  for (const { name, text, error } of refused)
    it(`refuses ${name}`, () => expect(() => createRuntimeConfig(config(text))).toThrow(error));

  for (const key of ["/v1", "v1", "api/v1", "api/v1/pods"])
    it(`knows core by ${key}`, () =>
      expect(createRuntimeConfig(config(`${key}=false`))({ group: "", version: "v1", resource: "nodes" })).toBe(false));
  it("takes no notice of api/legacy", () =>
    expect(
      createRuntimeConfig(config("api/legacy=true"))({ group: "", version: "v1", resource: "nodes" }),
    ).toBeUndefined());

  it("returns undefined for what is not named", () =>
    expect(
      createRuntimeConfig(config("apps/v1=false"))({ group: "batch", version: "v1", resource: "jobs" }),
    ).toBeUndefined());

  it("the nearest name wins", () => {
    const isEnabled = createRuntimeConfig(
      config("api/all=false,networking.k8s.io/v1beta1=true,networking.k8s.io/v1beta1/servicecidrs=false"),
    );
    expect(isEnabled({ group: "networking.k8s.io", version: "v1beta1", resource: "ipaddresses" })).toBe(true);
    expect(isEnabled({ group: "networking.k8s.io", version: "v1beta1", resource: "servicecidrs" })).toBe(false);
    expect(isEnabled({ group: "networking.k8s.io", version: "v1", resource: "ipaddresses" })).toBe(false);
  });
});

describe("served kinds", () => {
  it("by default every default version, and no other", () => {
    const names = served("");
    expect(names).toContain("autoscaling/v1/horizontalpodautoscalers");
    expect(names.filter((name) => /v\d(alpha|beta)/.test(name))).toEqual([]);
  });

  it("a version of the same shape is served beside the hub", () => {
    expect(served("networking.k8s.io/v1beta1=true")).toEqual(
      expect.arrayContaining([
        "networking.k8s.io/v1beta1/servicecidrs",
        "networking.k8s.io/v1beta1/ipaddresses",
        "networking.k8s.io/v1/ipaddresses",
      ]),
    );
  });

  it("a kind that is served by nobody's default gets a place in the store", () => {
    const { stored } = chooseServedKinds({ runtimeConfig: config("coordination.k8s.io/v1alpha2=true"), gates: all });
    expect(stored.find(({ resource }) => resource === "leasecandidates")).toMatchObject({
      version: "v1beta1",
      storagePrefix: "leasecandidates",
    });
  });

  it("what a feature gate holds back is not served", () => {
    const off = { enabled: () => false };
    expect(served("certificates.k8s.io/v1beta1=true", off)).not.toContain(
      "certificates.k8s.io/v1beta1/clustertrustbundles",
    );
    expect(served("certificates.k8s.io/v1beta1=true")).toContain("certificates.k8s.io/v1beta1/clustertrustbundles");
  });

  it("what cannot be converted is refused with the way out", () => {
    const off = "resource.k8s.io/v1beta1=false";
    expect(() => served("api/beta=true")).toThrow(`Leave it out with ${off}`);
    expect(served(`api/beta=true,${off}`)).toContain("resource.k8s.io/v1beta2/resourceslices");
  });

  it("a version that was switched off is gone", () =>
    expect(served("apps/v1=false").filter((name) => name.startsWith("apps/"))).toEqual([]));
});
