import { describe, expect, it } from "vitest";
import type { Node, NodeSelectorTerm, Taint, Toleration } from "../gen/types/core-v1.js";
import { findUntolerated, matchesNode, tolerates } from "./index.js";

describe("whether a toleration covers a taint", () => {
  const taint: Taint = { key: "gpu", value: "5", effect: "NoSchedule" };
  const rows: [name: string, toleration: Toleration, covers: boolean][] = [
    ["of the same key, value and effect", { key: "gpu", operator: "Equal", value: "5", effect: "NoSchedule" }, true],
    ["of another value", { key: "gpu", value: "6" }, false],
    ["of another effect", { key: "gpu", operator: "Exists", effect: "NoExecute" }, false],
    ["of any effect", { key: "gpu", operator: "Exists" }, true],
    ["of anything", { operator: "Exists" }, true],
    ["of lower numbers", { key: "gpu", operator: "Lt", value: "6" }, true],
    ["of higher numbers", { key: "gpu", operator: "Gt", value: "6" }, false],
    ["of something that is no number", { key: "gpu", operator: "Lt", value: "06" }, false],
    ["of a number with a sign", { key: "gpu", operator: "Lt", value: "+6" }, false],
    ["of a number beyond 64 bits", { key: "gpu", operator: "Lt", value: "9223372036854775808" }, false],
    ["of an operator that nobody knows", { key: "gpu", operator: "Near" as never, value: "5" }, false],
  ];
  for (const [name, toleration, covers] of rows)
    it(name, () => expect(tolerates(toleration, taint, { comparison: true })).toBe(covers));
  it("the first taint that nothing covers is found", () =>
    expect(
      findUntolerated([taint, { ...taint, key: "disk" }], [{ key: "gpu", operator: "Exists" }], { comparison: true })
        ?.key,
    ).toBe("disk"));
  it("comparisons cover nothing where they are switched off", () =>
    expect(tolerates({ key: "gpu", operator: "Lt", value: "6" }, taint, { comparison: false })).toBe(false));
});

describe("whether a pod may run on a node", () => {
  const node: Node = { metadata: { name: "n1", labels: { zone: "a", cores: "8" } } };
  const rows: [name: string, terms: NodeSelectorTerm[], matches: boolean][] = [
    ["a value of several", [{ matchExpressions: [{ key: "zone", operator: "In", values: ["b", "a"] }] }], true],
    [
      "a value that it must not have",
      [{ matchExpressions: [{ key: "zone", operator: "NotIn", values: ["a"] }] }],
      false,
    ],
    ["a label that must not be there", [{ matchExpressions: [{ key: "gpu", operator: "DoesNotExist" }] }], true],
    ["a number that is larger", [{ matchExpressions: [{ key: "cores", operator: "Gt", values: ["4"] }] }], true],
    ["its name", [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }], true],
    [
      "any of several terms",
      [
        { matchExpressions: [{ key: "gpu", operator: "Exists" }] },
        { matchExpressions: [{ key: "zone", operator: "Exists" }] },
      ],
      true,
    ],
    ["no term without requirements", [{}], false],
    [
      "not a name beside a label that it has not",
      [
        {
          matchExpressions: [{ key: "gpu", operator: "Exists" }],
          matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }],
        },
      ],
      false,
    ],
    [
      "no term that cannot be read",
      [{ matchExpressions: [{ key: "cores", operator: "Gt", values: ["four"] }] }],
      false,
    ],
    [
      "another one beside it",
      [
        { matchExpressions: [{ key: "cores", operator: "Gt", values: ["four"] }] },
        { matchExpressions: [{ key: "cores", operator: "Lt", values: ["9"] }] },
      ],
      true,
    ],
  ];
  for (const [name, nodeSelectorTerms, matches] of rows)
    it(name, () => {
      const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms };
      const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
      expect(matchesNode({ containers: [], affinity }, node)).toBe(matches);
    });
  it("all labels of its selector", () => {
    expect(matchesNode({ containers: [], nodeSelector: { zone: "a" } }, node)).toBe(true);
    expect(matchesNode({ containers: [], nodeSelector: { zone: "a", disk: "ssd" } }, node)).toBe(false);
  });
});
