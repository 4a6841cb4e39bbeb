import { describe, expect, it } from "vitest";
import { parseAggregated, parseLegacy } from "./parse-discovery.js";

const flunder = { group: "wardle.example.com", version: "v1alpha1", kind: "Flunder" };

describe("the discovery document of an aggregated server", () => {
  it("the new document: resources by group and version; a missing kind is an empty one", () => {
    const found = parseAggregated({
      kind: "APIGroupDiscoveryList",
      items: [
        {
          metadata: { name: "wardle.example.com" },
          versions: [
            {
              version: "v1alpha1",
              resources: [
                {
                  resource: "flunders",
                  responseKind: flunder,
                  scope: "Namespaced",
                  singularResource: "flunder",
                  verbs: ["get"],
                  subresources: [{ subresource: "status", verbs: ["get"] }],
                },
              ],
            },
          ],
        },
      ],
    });
    expect([...found]).toEqual([
      [
        "wardle.example.com/v1alpha1",
        [
          {
            resource: "flunders",
            responseKind: flunder,
            scope: "Namespaced",
            singularResource: "flunder",
            verbs: ["get"],
            subresources: [
              { subresource: "status", responseKind: { group: "", version: "", kind: "" }, verbs: ["get"] },
            ],
          },
        ],
      ],
    ]);
  });
  it("the older document: subresources go to their resource, which need not be listed", () =>
    expect(
      parseLegacy({
        resources: [
          { name: "boats/sail", namespaced: true, kind: "Sail", verbs: ["get"] },
          { name: "fish", singularName: "fish", namespaced: false, kind: "Fish", verbs: ["list"], shortNames: ["f"] },
        ],
      }),
    ).toEqual([
      {
        resource: "fish",
        responseKind: { group: "", version: "", kind: "Fish" },
        scope: "Cluster",
        singularResource: "fish",
        verbs: ["list"],
        shortNames: ["f"],
      },
      {
        resource: "boats",
        responseKind: { group: "", version: "", kind: "" },
        scope: "Namespaced",
        singularResource: "",
        verbs: [],
        subresources: [{ subresource: "sail", responseKind: { group: "", version: "", kind: "Sail" }, verbs: ["get"] }],
      },
    ]));
  it("a subresource in another scope is refused", () =>
    expect(() =>
      parseLegacy({
        resources: [
          { name: "fish", namespaced: false, kind: "Fish", verbs: [] },
          { name: "fish/fin", namespaced: true, kind: "Fin", verbs: [] },
        ],
      }),
    ).toThrow("Parent fish (scope: Cluster) and subresource fin (scope: Namespaced) scope do not match"));
  const junk = [
    null,
    7,
    "x",
    [],
    { items: 3 },
    { items: [null, { versions: {} }, { versions: [5] }] },
    { resources: {} },
  ];
  for (const value of junk)
    it(`junk is no resource: ${JSON.stringify(value)}`, () => {
      for (const [, resources] of parseAggregated(value)) expect(resources).toEqual([]);
      expect(parseLegacy(value)).toEqual([]);
    });
});
