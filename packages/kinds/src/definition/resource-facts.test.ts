import { builtInResources } from "@coxswain/api/resources";
import { describe, expect, it } from "vitest";
import { builtInDeprecation } from "./resource-facts.js";

describe("deprecation warnings", () => {
  const cases = [
    {
      name: "a kind with a successor",
      of: { group: "", version: "v1", resource: "endpoints" },
      text: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    },
    {
      name: "a kind without one",
      of: { group: "", version: "v1", resource: "componentstatuses" },
      text: "v1 ComponentStatus is deprecated in v1.19+",
    },
    { name: "a kind that stays", of: { group: "", version: "v1", resource: "pods" }, text: undefined },
  ];
  for (const { name, of, text } of cases) it(name, () => expect(builtInDeprecation(of)?.warning).toBe(text));

  it("no version is warned of before its time", () => {
    const early = builtInResources.filter(
      ({ lifecycle }) => lifecycle?.deprecated !== undefined && Number(lifecycle.deprecated.split(".")[1]) > 36,
    );
    expect(early.map(builtInDeprecation)).toEqual(early.map(() => undefined));
    expect(early.length).toBeGreaterThan(0);
  });
});
