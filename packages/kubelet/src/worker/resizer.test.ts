import type { ResourceRequirements } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { c, pod, run } from "../pod/pod.test.support.js";
import type { Allocation } from "../pod/resize.js";
import type { NodeContext } from "./node-context.js";
import { Resizer } from "./resizer.js";

const cpu = (amount: string): ResourceRequirements => ({ requests: { cpu: amount }, limits: { cpu: amount } });
const given = (amount: string): Allocation => new Map([["a", cpu(amount)]]);

/** A kubelet that starts: what it finds on the disk, what the pod asks for, what its container has; what it does in three steps. */
async function restart(found: { allocated?: string; actuated?: string; asked: string; has: string }) {
  const done: string[] = [];
  let has = cpu(found.has);
  const context = {
    host: {
      allocation: () => ({
        ...(found.allocated && { allocated: given(found.allocated) }),
        ...(found.actuated && { actuated: given(found.actuated) }),
      }),
      allocate: async (_: string, allocation: Allocation) =>
        void done.push(`allocate ${allocation.get("a")?.limits?.["cpu"]}`),
      actuate: async (_: string, allocation: Allocation) =>
        void done.push(`actuate ${allocation.get("a")?.limits?.["cpu"]}`),
      resizeGroup: async () => {},
    },
    containers: {
      async updateContainerResources(_: string, { container }: { container: { resources?: ResourceRequirements } }) {
        has = container.resources ?? {};
        done.push(`update ${has.limits?.["cpu"]}`);
      },
    },
    admitResize: () => ({ admitted: true }),
    record: () => {},
  } as unknown as NodeContext;
  const resizer = new Resizer(context, { pod: () => pod({ containers: [c("a", { resources: cpu(found.asked) })] }) });
  for (let step = 0; step < 3; step++) {
    resizer.decide();
    await resizer.step({
      sandboxes: [],
      containers: new Map([["a", [run("a", "running", { resources: has })]]]),
    });
  }
  return done.join(", ");
}

describe("a kubelet that starts again finds pods that were resized", () => {
  const cases = [
    { name: "a new pod's resources are written down", asked: "1", has: "1", does: "allocate 1, actuate 1" },
    { name: "nothing to do", allocated: "1", actuated: "1", asked: "1", has: "1", does: "" },
    {
      name: "a resize that was allocated and not carried out is carried out",
      allocated: "2",
      actuated: "1",
      asked: "2",
      has: "1",
      does: "update 2, actuate 2",
    },
    {
      name: "one that was carried out and not noted is completed",
      allocated: "2",
      actuated: "1",
      asked: "2",
      has: "2",
      does: "actuate 2",
    },
    {
      name: "one that was asked for meanwhile is allocated first",
      allocated: "1",
      actuated: "1",
      asked: "3",
      has: "1",
      does: "allocate 3, update 3, actuate 3",
    },
  ];
  for (const { name, does, ...found } of cases) it(name, async () => expect(await restart(found)).toBe(does));
});
