import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { JsonPatchOperation } from "@coxswain/client";
import type { Budget } from "../languages/budget.js";
import type { TemplateFunctions } from "../languages/template/render.js";
import type { CompiledStage, CompiledStep } from "./compile-stage.js";
import { planFinalizers } from "./finalizers.js";
import type { SelectedObject } from "./selected-object.js";
import { StageError, type StageEvent } from "./stage-object.js";

/** What playing a Stage asks of the API server, in order. */
export type StageAction =
  | { readonly kind: "event"; readonly event: StageEvent }
  | { readonly kind: "delete" }
  | ({ readonly kind: "patch"; readonly subresource: string } & StagePatchBody);

export type StagePatchBody =
  | { readonly type: "strategic" | "merge"; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: "json"; readonly data: readonly JsonPatchOperation[] };

export interface StepFacts {
  /** As templates read it: see `goJson`. */
  readonly data: SelectedObject;
  readonly functions: TemplateFunctions;
  /** Of all templates of the Stage. */
  readonly budget: Budget;
}

/** Pure: the actions of a Stage for one object; after a deletion only events follow. @throws StageError */
export function planSteps(stage: CompiledStage, facts: StepFacts): StageAction[] {
  const { data } = facts;
  const actions: StageAction[] = [];
  let isDeleted = false;
  for (const step of stage.steps) {
    if (step.kind === "event") actions.push(step);
    else if (isDeleted) continue;
    else if (step.kind === "delete") {
      isDeleted = true;
      actions.push({ kind: "delete" });
    } else if (step.kind === "finalizers") {
      const operations = planFinalizers(data.metadata?.finalizers ?? [], step.finalizers);
      if (operations.length > 0) actions.push({ kind: "patch", subresource: "", type: "json", data: operations });
    } else actions.push({ kind: "patch", subresource: step.subresource, ...renderPatch(stage, step, facts) });
  }
  return actions;
}

function renderPatch(
  stage: CompiledStage,
  { template, place, root, type }: CompiledStep & { kind: "patch" },
  { data, functions, budget }: StepFacts,
): StagePatchBody {
  const fail = (problem: string, cause?: unknown): never => {
    throw new StageError(stage.name, place, problem, { cause });
  };
  let value: unknown;
  try {
    ({ value } = parseYaml(template.render(data, functions, budget)));
  } catch (error) {
    return fail((error as Error).message, error);
  }
  if (type !== "json") {
    const wrapped = root === "" ? value : { [root]: value };
    if (typeof wrapped !== "object" || wrapped === null || Array.isArray(wrapped))
      return fail("the template renders no object");
    return { type, data: wrapped as Record<string, unknown> };
  }
  if (!Array.isArray(value)) return fail("the template renders no list of operations");
  const operations = value as { op: string; path: string; from?: string; value?: unknown }[];
  return {
    type,
    data: operations.map((each) =>
      root === "" ? each : { ...each, path: `/${root}${each.path}` },
    ) as unknown as JsonPatchOperation[],
  };
}
