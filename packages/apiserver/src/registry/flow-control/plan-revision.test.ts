import type { FlowSchema } from "@coxswain/api/flowcontrol/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { autoUpdate, isLeftOver, planDangling, planRevision } from "./plan-revision.js";

const object = (name: string, spec: unknown, annotation?: string, generation = 1): KubernetesObject =>
  ({
    apiVersion: "v1",
    kind: "K",
    metadata: { name, generation, ...(annotation !== undefined && { annotations: { [autoUpdate]: annotation } }) },
    spec,
  }) as KubernetesObject;
const wanted = object("x", { a: 1 }, "true");

const cases: [title: string, current: KubernetesObject, want: string | undefined][] = [
  ["as it should be", object("x", { a: 1 }, "true"), undefined],
  ["outdated, and the server's", object("x", { a: 0 }, "true"), "1 true"],
  ["outdated, and the user's", object("x", { a: 0 }, "false"), undefined],
  ["outdated, not annotated, never changed", object("x", { a: 0 }), "1 true"],
  ["outdated, not annotated, changed by somebody", object("x", { a: 0 }, undefined, 2), "0 false"],
  ["right, not annotated", object("x", { a: 1 }), "1 true"],
  ["an annotation that is no boolean", object("x", { a: 0 }, "perhaps", 2), "0 false"],
  ["mandatory, changed by a user", object("exempt", { a: 0 }, "false", 5), "1 true"],
  ["mandatory, and only the annotation is wrong", object("catch-all", { a: 1 }, "false"), "1 true"],
];

describe("what the server does with its own schemas and levels", () => {
  for (const [title, current, want] of cases)
    it(title, () => {
      const next = planRevision(current, wanted) as (KubernetesObject & { spec: { a: number } }) | undefined;
      expect(next && `${next.spec.a} ${next.metadata.annotations?.[autoUpdate]}`).toBe(want);
    });
  it("the exempt level keeps the share that an operator gave it", () => {
    const exempt = (shares: number, type = "Exempt") =>
      object("exempt", { type, exempt: { nominalConcurrencyShares: shares } }, "true", 2);
    expect(planRevision(exempt(5), exempt(0))).toBeUndefined();
    expect(planRevision(exempt(5, "Limited"), exempt(0))).toMatchObject({
      spec: { type: "Exempt", exempt: { nominalConcurrencyShares: 0 } },
    });
  });
  it("what it once made and does not want any more goes, unless a user keeps it", () =>
    expect(
      [object("old", {}, "true"), object("old", {}, "false"), object("mine", {}), object("x", {}, "true")].map((each) =>
        isLeftOver(each, new Set(["x"])),
      ),
    ).toEqual([true, false, false, false]));
  it("a schema's status reports whether its level exists, once", () => {
    const schema: FlowSchema = { metadata: { name: "s" }, spec: { priorityLevelConfiguration: { name: "p" } } };
    const missing = planDangling(schema, false, 0);
    expect(missing).toEqual({
      type: "Dangling",
      status: "True",
      lastTransitionTime: "1970-01-01T00:00:00Z",
      reason: "NotFound",
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "p" but there is no such object',
    });
    expect(planDangling({ ...schema, status: { conditions: [missing ?? {}] } }, false, 1)).toBeUndefined();
    expect(planDangling({ ...schema, status: { conditions: [missing ?? {}] } }, true, 1)).toMatchObject({
      status: "False",
      reason: "Found",
    });
  });
});
