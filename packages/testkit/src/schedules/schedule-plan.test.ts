import type { TransportRequest } from "@coxswain/client/transport";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { drawPlans } from "./draw-plans.js";
import { formatPlan, parsePlan, type SchedulePlan, scheduledFaults } from "./schedule-plan.js";
import { shrinkPlan } from "./shrink-plan.js";
import { describeRequest } from "./step-transport.js";

const hold = (step: string): SchedulePlan[number] => ({ do: "hold", step, nth: 1, for: "quiet" });

describe("plans", () => {
  it("are read as they are written", () => {
    const plan: SchedulePlan = [
      { do: "hold", step: "a sees ADDED ConfigMap default/x", nth: 2, for: { seconds: 30 } },
      { do: "hold", step: "a gets get configmaps default/x", nth: 1, for: 3 },
      hold("a sends list pods"),
      { do: "pick", nth: 4, item: 2 },
      ...scheduledFaults.map((fault, write) => ({ do: "fault", fault, write }) as const),
    ];
    expect(parsePlan(formatPlan(plan))).toEqual(plan);
  });
  it("that cannot be read are refused by name", () =>
    expect(() => parsePlan("hold everything")).toThrow('COXSWAIN_SCHEDULE has "hold everything"'));
  it("are drawn by the seed: every single change first, none twice", () => {
    const space = {
      seen: {
        steps: [
          { step: "a sends get pods", nth: 1 },
          { step: "a sees ADDED Pod x", nth: 1 },
        ],
        picks: [{ nth: 1, waiting: 3 }],
      },
      writes: 1,
      faults: ["conflict"] as const,
    };
    const draw = (seed: number): string[] => {
      const plans = drawPlans({ ...space, random: createSeededRandom(seed) });
      return Array.from({ length: 60 }, () => formatPlan(plans.next().value));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(new Set(draw(1)).size).toBe(60);
    expect(
      draw(1)
        .slice(0, 7)
        .every((text) => !text.includes(";")),
    ).toBe(true);
  });
});

const shrinks = [
  { name: "to the one change that matters", needs: ["b"], want: ["b"] },
  { name: "to two that fail only together", needs: ["a", "d"], want: ["a", "d"] },
  { name: "to nothing where the test fails anyway", needs: [], want: [] },
];
describe("a failing plan shrinks", () => {
  for (const { name, needs, want } of shrinks)
    it(name, async () => {
      const fails = async (plan: SchedulePlan): Promise<boolean> =>
        needs.every((step) => plan.some((change) => change.do === "hold" && change.step === step && change.for !== 1));
      const shrunk = await shrinkPlan(["a", "b", "c", "d"].map(hold), { fails });
      expect(shrunk.map((change) => change.do === "hold" && [change.step, change.for])).toEqual(
        want.map((step) => [step, 2]),
      );
    });
});

const requests: readonly (TransportRequest & { readonly text: string })[] = [
  { method: "GET", path: "/api/v1/namespaces/default/configmaps/a", text: "get configmaps default/a" },
  { method: "GET", path: "/apis/apps/v1/deployments", text: "list deployments" },
  { method: "PATCH", path: "/api/v1/namespaces/default/pods/a/status", text: "patch pods/status default/a" },
  { method: "PUT", path: "/api/v1/namespaces/default", text: "update namespaces default" },
  { method: "DELETE", path: "/api/v1/namespaces/default/pods", text: "deletecollection pods default" },
  { method: "GET", path: "/api/v1/pods", query: [["watch", "true"]], text: "watch pods" },
];
describe("requests in labels of steps", () => {
  for (const { text, ...request } of requests) it(text, () => expect(describeRequest(request)).toBe(text));
});
