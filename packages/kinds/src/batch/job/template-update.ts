import type { DeepReadonly } from "@coxswain/api";
import type { Affinity, Container, PodSpec, PodTemplateSpec } from "@coxswain/api/core/v1";
import { type FieldError, fieldPath, invalid, Verbatim } from "@coxswain/apimachinery/field";
import { immutableMessage } from "@coxswain/apimachinery/validation";
import type { StrategyContext } from "../../definition/strategy.js";
import { sameForm } from "../../internal-form/equal.js";
import { compactJson } from "../../internal-form/go-text.js";
import { internalPodSpec } from "../../internal-form/internal-form.js";
import { hasCondition } from "./conditions.js";
import type { StoredJob } from "./stored.js";

type ReadJob = DeepReadonly<StoredJob>;
type Template = DeepReadonly<PodTemplateSpec>;
type Spec = DeepReadonly<PodSpec>;

/** A job whose pods are made, or may be made at any time, keeps its template. While it is suspended, queues may place and size its pods. */
export function checkTemplateStays(next: ReadJob, old: ReadJob, { gates }: StrategyContext): FieldError[] {
  const rests = isAtRest(old);
  const unstarted = old.spec.suspend === true && !old.status.startTime;
  const mayPlace = gates.enabled("MutableSchedulingDirectivesForSuspendedJobs") ? rests : unstarted;
  const before = mayPlace ? withPlacementOf(next.spec.template, old.spec.template) : old.spec.template;
  if (old.spec.suspend === true && rests && gates.enabled("MutablePodResourcesForSuspendedJobs")) {
    const path = fieldPath("spec").child("template.spec");
    const spec = next.spec.template.spec ?? { containers: [] };
    return compare(
      internalPodSpec(spec),
      internalPodSpec(withResourcesOf(spec, before.spec ?? { containers: [] })),
      path,
    );
  }
  return compare(templateForm(next.spec.template), templateForm(before), fieldPath("spec", "template"));
}

const isAtRest = ({ spec, status }: ReadJob): boolean =>
  spec.suspend === true && (!status.startTime || hasCondition(status, "Suspended")) && (status.active ?? 0) === 0;

const compare = (next: unknown, old: unknown, path: ReturnType<typeof fieldPath>): FieldError[] =>
  sameForm(next, old) ? [] : [invalid(path, new Verbatim(compactJson(next)), immutableMessage)];

const templateForm = ({ metadata, spec }: Template): unknown => ({
  ...metadata,
  Spec: internalPodSpec(spec ?? { containers: [] }),
});

/** The old template with what decides where its pods run taken from the new one. */
function withPlacementOf(next: Template, old: Template): Template {
  const { nodeSelector, tolerations, schedulingGates, affinity } = next.spec ?? {};
  const { annotations, labels } = next.metadata ?? {};
  const {
    nodeSelector: _nodeSelector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    affinity: oldAffinity,
    ...spec
  } = old.spec ?? { containers: [] };
  const { annotations: _annotations, labels: _labels, ...metadata } = old.metadata ?? {};
  const placed = withNodeAffinityOf(affinity, oldAffinity);
  return {
    metadata: { ...metadata, ...(annotations && { annotations }), ...(labels && { labels }) },
    spec: {
      ...spec,
      ...(nodeSelector && { nodeSelector }),
      ...(tolerations && { tolerations }),
      ...(schedulingGates && { schedulingGates }),
      ...(placed && { affinity: placed }),
    },
  };
}

function withNodeAffinityOf(
  next: DeepReadonly<Affinity> | undefined,
  old: DeepReadonly<Affinity> | undefined,
): DeepReadonly<Affinity> | undefined {
  const { nodeAffinity: _nodeAffinity, ...rest } = old ?? {};
  if (!next) return Object.keys(rest).length === 0 ? undefined : rest;
  return { ...rest, ...(next.nodeAffinity && { nodeAffinity: next.nodeAffinity }) };
}

/** The old spec with the resources of the new one, container by container. */
function withResourcesOf(next: Spec, old: Spec): Spec {
  const { initContainers: _init, ...rest } = old;
  const initContainers = sized(next.initContainers ?? [], old.initContainers ?? []);
  return {
    ...rest,
    containers: sized(next.containers ?? [], old.containers ?? []),
    ...(initContainers.length > 0 && { initContainers }),
  };
}

function sized(
  next: readonly DeepReadonly<Container>[],
  old: readonly DeepReadonly<Container>[],
): readonly DeepReadonly<Container>[] {
  if (next.length !== old.length) return old;
  return old.map((container, at) => {
    const other = next[at];
    if (other?.name !== container.name) return container;
    const { resources: _resources, ...rest } = container;
    return { ...rest, ...(other.resources && { resources: other.resources }) };
  });
}
