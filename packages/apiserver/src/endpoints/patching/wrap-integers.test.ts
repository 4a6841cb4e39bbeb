import { builtInTypes } from "@coxswain/api/tables";
import { describe, expect, it } from "vitest";
import { wrapIntegers } from "./wrap-integers.js";

describe("integers that are too large for their member", () => {
  const node = builtInTypes.get("io.k8s.api.apps.v1.Deployment");
  const cases = [
    {
      name: "wrap around in 32 bits",
      sent: { spec: { replicas: 3_000_000_000 } },
      kept: { spec: { replicas: -1_294_967_296 } },
    },
    {
      name: "stay in 64 bits",
      sent: { spec: { template: { spec: { terminationGracePeriodSeconds: 3_000_000_000 } } } },
      kept: { spec: { template: { spec: { terminationGracePeriodSeconds: 3_000_000_000 } } } },
    },
    {
      name: "wrap within lists",
      sent: { spec: { template: { spec: { containers: [{ ports: [{ containerPort: 4_294_967_297 }] }] } } } },
      kept: { spec: { template: { spec: { containers: [{ ports: [{ containerPort: 1 }] }] } } } },
    },
  ];
  for (const { name, sent, kept } of cases) it(name, () => expect(wrapIntegers(sent, node)).toEqual(kept));
});
