import type { Budget } from "../languages/budget.js";
import { compileTemplate, type Template } from "../languages/template/render.js";
import { isStageFunction } from "../languages/template/stage-functions.js";
import type { SelectedObject } from "./selected-object.js";
import {
  StageError,
  type StageEvent,
  type StageFinalizers,
  type StageObject,
  type StagePatch,
  type StageSpec,
  type StageStep,
} from "./stage-object.js";
import { compileSelector } from "./stage-selector.js";
import { compileDuration, compileInteger, type StageValue } from "./stage-value.js";

/** A Stage that is ready to be played. */
export interface CompiledStage {
  readonly name: string;
  readonly kind: "Pod" | "Node";
  /** @throws OverBudget */
  selects(object: SelectedObject, budget: Budget): boolean;
  readonly weight: StageValue;
  readonly delay: StageValue | undefined;
  readonly jitter: StageValue | undefined;
  readonly steps: readonly CompiledStep[];
  /** The next Stage is looked for at once, not when the changed object comes back from the server. */
  readonly immediateNextStage: boolean;
  /** Whether it writes the object's status. */
  readonly drivesStatus: boolean;
}

export type CompiledStep =
  | { readonly kind: "event"; readonly event: StageEvent }
  | { readonly kind: "finalizers"; readonly finalizers: StageFinalizers }
  | { readonly kind: "delete" }
  | {
      readonly kind: "patch";
      readonly type: "strategic" | "merge" | "json";
      readonly subresource: string;
      readonly root: string;
      readonly template: Template;
      /** Where the template is, for messages. */
      readonly place: string;
    };

/** What stages are about here. KWOK also plays them for any other kind. */
const playedKinds = ["Pod", "Node"] as const;

/**
 * Compiles a Stage. Undefined: it has no selector, and so selects nothing.
 * @throws StageError that names the Stage and the place where it has what is not supported
 */
export function compileStage(object: StageObject): CompiledStage | undefined {
  const name = object.metadata?.name ?? "";
  const spec = object.spec ?? {};
  const fail = (place: string, problem: string): never => {
    throw new StageError(name, place, problem);
  };
  const { apiGroup = "v1", kind } = spec.resourceRef ?? {};
  const played = apiGroup === "v1" ? playedKinds.find((each) => each === kind) : undefined;
  if (!played)
    return fail(
      "spec.resourceRef",
      `simulated nodes play stages of v1 Pods and Nodes, not of ${apiGroup} ${kind ?? ""}`,
    );
  if (!spec.selector) return undefined;
  const steps = stepsOf(spec, fail).flatMap(({ step, place }) => compileStep(step, place, fail));
  const { delay = {} } = spec;
  const duration = compileDuration({
    fixed: spec.delay && (delay.durationMilliseconds ?? 0),
    from: delay.durationFrom,
    fail: (problem) => fail("spec.delay.durationFrom", problem),
  });
  return {
    name,
    kind: played,
    selects: compileSelector(spec.selector, fail),
    weight:
      compileInteger({
        fixed: spec.weight ?? 0,
        from: spec.weightFrom,
        fail: (problem) => fail("spec.weightFrom", problem),
      }) ?? (() => 0),
    delay: duration,
    jitter: compileDuration({
      fixed: delay.jitterDurationMilliseconds,
      from: delay.jitterDurationFrom,
      fail: (problem) => fail("spec.delay.jitterDurationFrom", problem),
    }),
    steps,
    immediateNextStage: spec.immediateNextStage === true,
    drivesStatus: steps.some((step) => step.kind === "patch" && step.subresource === "status"),
  };
}

/** @throws StageError where simulated nodes cannot play the Stage */
export function checkStage(object: StageObject): void {
  compileStage(object);
}

/** The steps of a Stage; its older form has them in this order. */
function stepsOf(
  { steps = [], next }: StageSpec,
  fail: (place: string, problem: string) => never,
): { step: StageStep; place: string }[] {
  if (steps.length > 0) return steps.map((step, i) => ({ step, place: `spec.steps[${i}]` }));
  if (!next) return [];
  const found: { step: StageStep; place: string }[] = [];
  if (next.event) found.push({ step: { event: next.event }, place: "spec.next.event" });
  if (next.finalizers) found.push({ step: { finalizers: next.finalizers }, place: "spec.next.finalizers" });
  if (next.patches && next.patches.length > 0)
    for (const [i, patch] of next.patches.entries()) found.push({ step: { patch }, place: `spec.next.patches[${i}]` });
  else if (next.statusTemplate) {
    if (next.statusPatchAs !== undefined) fail("spec.next.statusPatchAs", "impersonation is not supported");
    const patch = { subresource: next.statusSubresource ?? "status", root: "status", template: next.statusTemplate };
    found.push({ step: { patch }, place: "spec.next.statusTemplate" });
  }
  if (next.delete) found.push({ step: { delete: true }, place: "spec.next.delete" });
  return found;
}

/** One step may hold several things, which are done in this order. */
function compileStep(step: StageStep, place: string, fail: (place: string, problem: string) => never): CompiledStep[] {
  if (step.apply !== undefined) fail(`${place}.apply`, "steps that apply other objects are not supported");
  const compiled: CompiledStep[] = [];
  if (step.event) compiled.push({ kind: "event", event: step.event });
  if (step.finalizers) compiled.push({ kind: "finalizers", finalizers: step.finalizers });
  if (step.delete) compiled.push({ kind: "delete" });
  else if (step.patch) compiled.push(compilePatch(step.patch, place, fail));
  return compiled;
}

const patchTypes = ["strategic", "merge", "json"] as const;

function compilePatch(
  { subresource = "", root = "", template = "", type = "strategic", impersonation }: StagePatch,
  place: string,
  fail: (place: string, problem: string) => never,
): CompiledStep {
  if (impersonation !== undefined) fail(place, "impersonation is not supported");
  const known = patchTypes.find((each) => each === type) ?? fail(place, `unknown patch type ${type}`);
  try {
    const compiled = compileTemplate(template.trim(), isStageFunction);
    return { kind: "patch", type: known, subresource, root, template: compiled, place };
  } catch (error) {
    return fail(place, (error as Error).message);
  }
}
