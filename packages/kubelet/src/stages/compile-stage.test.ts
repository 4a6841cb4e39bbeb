import { describe, expect, it } from "vitest";
import { Budget, type OverBudget } from "../languages/budget.js";
import { chooseStage, delayOf } from "./choose-stage.js";
import { type CompiledStage, compileStage } from "./compile-stage.js";
import { planFinalizers } from "./finalizers.js";
import type { SelectedObject } from "./selected-object.js";
import { StageBudgets } from "./stage-budgets.js";
import type { StageFinalizers, StageSpec } from "./stage-object.js";

const stage = (spec: StageSpec, name = "s"): CompiledStage =>
  compileStage({ metadata: { name }, spec: { resourceRef: { kind: "Pod" }, selector: {}, ...spec } }) as CompiledStage;
const pod = (fields: object = {}): SelectedObject => ({ metadata: {}, ...fields });
/** Chance that always draws this share of the range. */
const drawn = (share: number, refuse: (stage: CompiledStage, error: OverBudget) => void = () => {}) => ({
  now: 0,
  budgets: new StageBudgets(refuse),
  random: { next: () => share, bytes: () => new Uint8Array(), drawInto: () => {} },
});

const refused: { name: string; spec: StageSpec; message: string }[] = [
  {
    name: "another kind",
    spec: { resourceRef: { apiGroup: "apps/v1", kind: "Deployment" } },
    message: "Stage s: spec.resourceRef: simulated nodes play stages of v1 Pods and Nodes, not of apps/v1 Deployment",
  },
  {
    name: "an unknown operator",
    spec: { selector: { matchExpressions: [{ key: ".a", operator: "Gt", values: ["1"] }] } },
    message: 'Stage s: spec.selector.matchExpressions[0]: operator "Gt" is not supported',
  },
  {
    name: "In without values",
    spec: { selector: { matchExpressions: [{ jq: { key: ".a", operator: "In" } }] } },
    message: "Stage s: spec.selector.matchExpressions[0]: for 'in', 'notin' operators, values set can't be empty",
  },
  {
    name: "expressions of CEL",
    spec: { selector: { matchExpressions: [{ cel: { expression: "true" } }] } },
    message: "Stage s: spec.selector.matchExpressions[0]: expressions of CEL are not supported; use jq",
  },
  {
    name: "jq that is not supported",
    spec: { weightFrom: { expressionFrom: ".a + 1" } },
    message: 'Stage s: spec.weightFrom: jq expression ".a + 1": "+" is not supported here',
  },
  {
    name: "a function that is not supported",
    spec: { next: { statusTemplate: "a: 1\nb: {{ env }}" } },
    message: 'Stage s: spec.next.statusTemplate: line 2: function "env" is not supported',
  },
  {
    name: "objects that are applied",
    spec: { steps: [{ apply: {} }] },
    message: "Stage s: spec.steps[0].apply: steps that apply other objects are not supported",
  },
  {
    name: "impersonation",
    spec: { next: { statusTemplate: "a: 1", statusPatchAs: { username: "x" } } },
    message: "Stage s: spec.next.statusPatchAs: impersonation is not supported",
  },
  {
    name: "an unknown patch",
    spec: { steps: [{ patch: { type: "apply", template: "a: 1" } }] },
    message: "Stage s: spec.steps[0]: unknown patch type apply",
  },
];

describe("a Stage is refused with the place of what is not supported", () => {
  for (const { name, spec, message } of refused) it(name, () => expect(() => stage(spec)).toThrow(message));
});

const jq = (key: string, operator: string, ...values: string[]): StageSpec => ({
  selector: { matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }] },
});
const selections: { name: string; spec: StageSpec; object: SelectedObject; selects: boolean }[] = [
  { name: "an empty selector selects all", spec: {}, object: pod(), selects: true },
  {
    name: "labels",
    spec: { selector: { matchLabels: { a: "b" } } },
    object: pod({ metadata: { labels: { a: "b" } } }),
    selects: true,
  },
  { name: "labels that differ", spec: { selector: { matchLabels: { a: "b" } } }, object: pod(), selects: false },
  {
    name: "annotations",
    spec: { selector: { matchAnnotations: { a: "b" } } },
    object: pod({ metadata: { annotations: { a: "b" } } }),
    selects: true,
  },
  { name: "In", spec: jq(".a", "In", "x", "y"), object: pod({ a: "y" }), selects: true },
  { name: "In of a boolean", spec: jq(".a", "In", "true"), object: pod({ a: true }), selects: true },
  {
    name: "In of a number that jq counted",
    spec: jq(".a | length", "In", "1"),
    object: pod({ a: ["x"] }),
    selects: true,
  },
  { name: "In never matches a number of the object", spec: jq(".a", "In", "1"), object: pod({ a: 1 }), selects: false },
  { name: "NotIn of what cannot be read", spec: jq(".a.[].b", "NotIn", "x"), object: pod(), selects: true },
  { name: "Exists", spec: jq(".a", "Exists"), object: pod({ a: "" }), selects: true },
  { name: "DoesNotExist of a null", spec: jq(".a", "DoesNotExist"), object: pod({ a: null }), selects: true },
];

describe("a Stage selects by", () => {
  for (const { name, spec, object, selects } of selections)
    it(name, () => expect(stage(spec).selects(object, new Budget({}))).toBe(selects));
  it("nothing, where it has no selector", () =>
    expect(compileStage({ spec: { resourceRef: { kind: "Pod" } } })).toBeUndefined());
});

const weighed = (name: string, weight: number | string): CompiledStage =>
  stage(typeof weight === "number" ? { weight } : { weightFrom: { expressionFrom: weight } }, name);
const choices: { name: string; stages: CompiledStage[]; share: number; chosen: string | undefined }[] = [
  { name: "none, where none selects", stages: [stage(jq(".a", "Exists"))], share: 0, chosen: undefined },
  {
    name: "by weight: the first part of the range",
    stages: [weighed("a", 1), weighed("b", 3)],
    share: 0.2,
    chosen: "a",
  },
  { name: "by weight: the rest of it", stages: [weighed("a", 1), weighed("b", 3)], share: 0.3, chosen: "b" },
  { name: "one of weight zero never beside others", stages: [weighed("a", 0), weighed("b", 1)], share: 0, chosen: "b" },
  { name: "any, where all weights are zero", stages: [weighed("a", 0), weighed("b", 0)], share: 0.9, chosen: "b" },
  {
    name: "not one whose weight is no number",
    stages: [weighed("a", ".word"), weighed("b", 0)],
    share: 0,
    chosen: "b",
  },
];

describe("the Stage that is played is chosen", () => {
  for (const { name, stages, share, chosen } of choices)
    it(name, () => expect(chooseStage(stages, pod({ word: "x" }), drawn(share))?.name).toBe(chosen));
});

const annotated = (text: string): SelectedObject => pod({ metadata: { annotations: { d: text } } });
const from = { expressionFrom: '.metadata.annotations["d"]' };
const waits: { name: string; spec: StageSpec; object?: SelectedObject; ms: number }[] = [
  { name: "not at all without one", spec: {}, ms: 0 },
  { name: "its duration", spec: { delay: { durationMilliseconds: 500 } }, ms: 500 },
  {
    name: "up to the jitter",
    spec: { delay: { durationMilliseconds: 500, jitterDurationMilliseconds: 1500 } },
    ms: 1000,
  },
  {
    name: "the jitter, where that is less",
    spec: { delay: { durationMilliseconds: 500, jitterDurationMilliseconds: 100 } },
    ms: 100,
  },
  {
    name: "the duration of an annotation",
    spec: { delay: { durationMilliseconds: 500, durationFrom: from } },
    object: annotated("2s"),
    ms: 2000,
  },
  {
    name: "until the time of an annotation",
    spec: { delay: { durationFrom: from } },
    object: annotated("1970-01-01T00:00:03Z"),
    ms: 3000,
  },
  {
    name: "the default for an annotation without sense",
    spec: { delay: { durationMilliseconds: 500, durationFrom: from } },
    object: annotated("soon"),
    ms: 500,
  },
];

describe("a Stage that takes too many steps", () => {
  const doubling = (times: number) => Array.from({ length: times }, () => "(.,.)").join(" | ");
  const selecting = (key: string): StageSpec => ({ selector: { matchExpressions: [{ key, operator: "Exists" }] } });
  const outcome = (stages: CompiledStage[]) => {
    const refusedNames = new Set<string>();
    const chosen = chooseStage(
      stages,
      pod({ a: 1 }),
      drawn(0, ({ name }) => refusedNames.add(name)),
    );
    return { chosen: chosen?.name, refused: [...refusedNames] };
  };
  it("is refused, and another one is chosen", () =>
    expect(outcome([stage(selecting(doubling(22)), "hostile"), stage(selecting(".a"), "good")])).toEqual({
      chosen: "good",
      refused: ["hostile"],
    }));
  it("is refused for its weight", () =>
    expect(
      outcome([
        stage({ ...selecting(".a"), weightFrom: { expressionFrom: doubling(22) } }, "hostile"),
        stage({ ...selecting(".a"), weight: 1 }, "good"),
      ]),
    ).toEqual({ chosen: "good", refused: ["hostile"] }));
  it("is refused where many together do, the heaviest first", () => {
    const many = Array.from({ length: 20 }, (_, i) => stage(selecting(doubling(9)), `many-${i}`));
    const heavy = stage(selecting(doubling(10)), "heavy");
    expect(outcome([heavy, ...many]).refused).toEqual(["heavy"]);
  });
});

describe("a Stage waits", () => {
  for (const { name, spec, object = pod(), ms } of waits)
    it(name, () => expect(delayOf(stage(spec), object, drawn(0.5))).toBe(ms));
});

const values = (...names: string[]): { value: string }[] => names.map((value) => ({ value }));
const finalizers: { name: string; present: string[]; change: StageFinalizers; operations: unknown[] }[] = [
  {
    name: "added to none",
    present: [],
    change: { add: values("a") },
    operations: [{ op: "add", path: "/metadata/finalizers", value: ["a"] }],
  },
  {
    name: "added to others",
    present: ["b"],
    change: { add: values("a", "b") },
    operations: [{ op: "add", path: "/metadata/finalizers/-", value: "a" }],
  },
  {
    name: "removed, the last first",
    present: ["a", "b", "c"],
    change: { remove: values("a", "c") },
    operations: [
      { op: "remove", path: "/metadata/finalizers/2" },
      { op: "remove", path: "/metadata/finalizers/0" },
    ],
  },
  {
    name: "all removed",
    present: ["a"],
    change: { remove: values("a") },
    operations: [{ op: "remove", path: "/metadata/finalizers" }],
  },
  {
    name: "emptied and added",
    present: ["a"],
    change: { empty: true, add: values("b") },
    operations: [
      { op: "remove", path: "/metadata/finalizers" },
      { op: "add", path: "/metadata/finalizers", value: ["b"] },
    ],
  },
  { name: "emptied where there are none", present: [], change: { empty: true }, operations: [] },
];

describe("finalizers of a Stage are", () => {
  for (const { name, present, change, operations } of finalizers)
    it(name, () => expect(planFinalizers(present, change)).toEqual(operations));
});
