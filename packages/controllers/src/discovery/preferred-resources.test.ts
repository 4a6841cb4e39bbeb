import type { ApiSurface, DiscoveredResource } from "@coxswain/client/discovery";
import { expect, it } from "vitest";
import { discoveryFailure, preferredResources } from "./preferred-resources.js";

const resource = (name: string): DiscoveredResource => ({
  resource: name,
  singular: "",
  kind: name.toUpperCase(),
  namespaced: true,
  verbs: ["list"],
});
const surface = (preferredVersion: string, versions: Record<string, string[]>): ApiSurface => ({
  groups: [
    {
      name: "g",
      preferredVersion,
      versions: Object.entries(versions).map(([version, names]) => ({ version, resources: names.map(resource) })),
    },
  ],
  failed: [],
});

const cases = [
  {
    name: "of two versions the preferred one is taken",
    surface: surface("v2", { v1: ["a"], v2: ["a"] }),
    is: ["v2 a"],
  },
  {
    name: "a resource that the preferred version lacks is taken from the first that has it",
    surface: surface("v3", { v3: ["a"], v2: ["b"], v1: ["b"] }),
    is: ["v3 a", "v2 b"],
  },
  { name: "subresources are left out", surface: surface("v1", { v1: ["a", "a/status"] }), is: ["v1 a"] },
];
for (const row of cases)
  it(row.name, () =>
    expect(preferredResources(row.surface).map(({ version, resource: name }) => `${version} ${name}`)).toEqual(row.is),
  );

it("the failure of a discovery names every version that was not there, in order", () => {
  expect(discoveryFailure({ failed: [] })).toBeUndefined();
  expect(
    discoveryFailure({
      failed: [
        { group: "b", version: "v1", message: "down" },
        { group: "a", version: "v1", message: "gone" },
      ],
    }),
  ).toBe("unable to retrieve the complete list of server APIs: a/v1: gone, b/v1: down");
});
