import { readFileSync } from "node:fs";
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "@coxswain/api/apiextensions/v1";
import { runAtOnce } from "@coxswain/runtime/steps";
import { describe, expect, it } from "vitest";
import type { Status } from "./conditions.js";
import { planApproval } from "./plan-approval.js";
import { planEstablishing } from "./plan-establishing.js";
import { planNames, usedNames } from "./plan-names.js";
import { findViolations, planNonStructural } from "./plan-non-structural.js";
import { beginTermination, endTermination, failTermination, hasInstances, inTermination } from "./termination.js";

// The answers in testdata/conditions.json were recorded from the controllers of k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources.
type Answer = Record<string, { acceptedNames: CustomResourceDefinitionNames; conditions: Record<string, string>[] }>;
interface Case {
  name: string;
  definitions: CustomResourceDefinition[];
  answer: Answer;
}
const cases = JSON.parse(readFileSync(new URL("testdata/conditions.json", import.meta.url), "utf8")) as Case[];
const now = Date.parse("2024-01-01T00:00:00Z");

type Plan = (definition: CustomResourceDefinition, all: readonly CustomResourceDefinition[]) => Status | undefined;
const plans: readonly Plan[] = [
  (definition, all) => planNames(definition, usedNames(all, definition.spec.group), now),
  (definition) => planNonStructural(definition, runAtOnce(findViolations(definition)), now),
  (definition) => planApproval(definition, now),
  (definition) => planEstablishing(definition, now),
];

/** Carries plans out, one after the other, until none has anything to do. */
function settle(definitions: CustomResourceDefinition[]): CustomResourceDefinition[] {
  for (const plan of plans)
    for (const [at, definition] of definitions.entries()) {
      const status = plan(definition, definitions);
      if (status) definitions[at] = { ...definition, status: status as NonNullable<typeof definition.status> };
    }
  return definitions;
}

const shown = (definitions: readonly CustomResourceDefinition[]): Answer =>
  Object.fromEntries(
    definitions.map(({ metadata, status }) => [
      metadata?.name ?? "",
      {
        acceptedNames: status?.acceptedNames ?? { plural: "", kind: "" },
        conditions: (status?.conditions ?? [])
          .map(({ type, status: state, reason = "", message = "" }) => ({ type, status: state, reason, message }))
          .sort((a, b) => (a.type < b.type ? -1 : 1)),
      },
    ]),
  );

describe("conditions are those of upstream's controllers", () => {
  for (const { name, definitions, answer } of cases)
    it(name, () => expect(shown(settle(structuredClone(definitions)))).toEqual(answer));
  for (const { name, definitions } of cases)
    it(`${name}: a second run finds nothing to do`, () => {
      const settled = settle(structuredClone(definitions));
      for (const plan of plans) for (const one of settled) expect(plan(one, settled)).toBeUndefined();
    });
});

describe("a definition that is deleted", () => {
  const definition = (established: boolean, plural = "boats", group = "example.com"): CustomResourceDefinition => ({
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names: { plural, kind: "Boat" }, versions: [] },
    status: { conditions: [{ type: "Established", status: established ? "True" : "False" }] },
  });
  const terminating = ({ status }: CustomResourceDefinition): unknown[] => {
    const { status: state, reason, message } = status?.conditions?.find(({ type }) => type === "Terminating") ?? {};
    return [state, reason, message];
  };
  const begun = (...given: Parameters<typeof definition>): CustomResourceDefinition => {
    const one = definition(...given);
    beginTermination(one, now);
    return inTermination(one, now);
  };

  it("reports that its objects are being deleted", () =>
    expect(terminating(begun(true))).toEqual([
      "True",
      "InstanceDeletionInProgress",
      "CustomResource deletion is in progress",
    ]));
  it("has objects only once it was established", () =>
    expect([hasInstances(begun(true)), hasInstances(begun(false))]).toEqual([true, false]));
  it("never takes built-in objects for its own", () =>
    expect(hasInstances(begun(true, "apiservices", "apiregistration.k8s.io"))).toBe(false));
  const ends = [
    { name: "an established one", given: begun(true), reason: "InstanceDeletionCompleted" },
    { name: "one that was never established", given: begun(false), reason: "NeverEstablished" },
    {
      name: "one that overlaps a built-in resource",
      given: begun(true, "customresourcedefinitions", "apiextensions.k8s.io"),
      reason: "OverlappingBuiltInResource",
    },
  ];
  for (const { name, given, reason } of ends)
    it(`${name} ends with ${reason} and without the finalizer`, () => {
      const ended = endTermination(given, now);
      expect(terminating(ended).slice(0, 2)).toEqual(["False", reason]);
      expect(ended.metadata?.finalizers).toBeUndefined();
    });
  const failures = [
    { step: "list", text: "could not list instances: no", reason: "InstanceDeletionFailed" },
    { step: "delete", text: "could not issue all deletes: no", reason: "InstanceDeletionFailed" },
    { step: "confirm", text: "could not confirm zero CustomResources remaining: no", reason: "InstanceDeletionCheck" },
  ] as const;
  for (const { step, text, reason } of failures)
    it(`reports a failure to ${step}`, () =>
      expect(terminating(failTermination(begun(true), { step, message: "no" }, now))).toEqual(["True", reason, text]));
});
