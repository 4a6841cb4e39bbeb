import type { PodSpec } from "@coxswain/api/core/v1";
import type { StrategyContext } from "../definition/strategy.js";
import { dropDisabledPodSpecFields } from "./disabled-fields.js";

/** An object with a template of pods: of a workload, of a CronJob, or a PodTemplate itself. */
interface Templated {
  readonly template?: { readonly spec?: PodSpec };
  readonly spec?: { readonly template?: { readonly spec?: PodSpec }; readonly jobTemplate?: Templated };
}

/** The same in templates, of whatever kind they are a part. */
export function dropDisabledTemplateFields(object: unknown, old: unknown, gates: StrategyContext["gates"]): void {
  const spec = podSpecOf(object as Templated);
  if (spec) dropDisabledPodSpecFields(spec, podSpecOf((old ?? {}) as Templated), gates);
}

const podSpecOf = ({ template, spec }: Templated): PodSpec | undefined =>
  template?.spec ?? spec?.template?.spec ?? (spec?.jobTemplate && podSpecOf(spec.jobTemplate));
