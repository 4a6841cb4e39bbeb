import { describe, expect, it } from "vitest";
import { isRolledOut } from "./is-rolled-out.js";

const deployment = (status: object | undefined, replicas?: number): object => ({
  metadata: { generation: 2 },
  spec: { replicas },
  status,
});
const ready = { observedGeneration: 2, updatedReplicas: 1, availableReplicas: 1 };

describe("a Deployment is rolled out", () => {
  const cases: [name: string, object: object | undefined, expected: boolean][] = [
    ["once its pods are new and available", deployment(ready), true],
    ["without pods, where none are wanted", deployment({ observedGeneration: 2 }, 0), true],
    ["not before it is there", undefined, false],
    ["not before its controller has seen it", deployment(undefined), false],
    ["not by what its controller saw of the last generation", deployment({ ...ready, observedGeneration: 1 }), false],
    ["not while old pods are available", deployment({ ...ready, updatedReplicas: 0 }), false],
    ["not while new pods are not available", deployment({ ...ready, availableReplicas: 0 }), false],
    ["not with some of its pods", deployment(ready, 2), false],
  ];
  for (const [name, object, expected] of cases) it(name, () => expect(isRolledOut(object)).toBe(expected));
});
