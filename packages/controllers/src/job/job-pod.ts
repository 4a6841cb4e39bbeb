import type { DeepReadonly } from "@coxswain/api";
import type { Container, PodTemplateSpec } from "@coxswain/api/core/v1";
import { withFinalizer } from "@coxswain/client/controller";
import type { CachedPod } from "../pods/pod-state.js";
import {
  completionIndexName,
  indexFailureCountName,
  indexIgnoredFailureCountName,
  nextFailureCounts,
} from "./completion-index.js";
import { type CachedJob, hasBackoffLimitPerIndex, trackingFinalizer } from "./job-state.js";

type Template = DeepReadonly<PodTemplateSpec>;

/** The base of a generated name has at most so many characters. */
const longestBase = 58;

/** Pure: the template of the Job's pods, with the finalizer. */
export function jobTemplate({ spec }: CachedJob): Template {
  const template: Template = spec?.template ?? {};
  return { ...template, metadata: { ...template.metadata, finalizers: withFinalizer(template, trackingFinalizer) } };
}

/** Pure: the template of the pod of one index, which knows it by annotation, label, variable, hostname and name. */
export function indexedTemplate(
  job: CachedJob,
  index: number,
  replaced: CachedPod | undefined,
): { readonly template: Template; readonly generateName: string } {
  const { metadata, spec } = jobTemplate(job);
  const { counted, ignored } = nextFailureCounts(job, replaced);
  const { name = "" } = job.metadata ?? {};
  const suffix = `-${index}-`;
  return {
    generateName: `${name.slice(0, longestBase - suffix.length)}${suffix}`,
    template: {
      metadata: {
        ...metadata,
        labels: { ...metadata?.labels, [completionIndexName]: String(index) },
        annotations: {
          ...metadata?.annotations,
          [completionIndexName]: String(index),
          ...(hasBackoffLimitPerIndex(job) && {
            [indexFailureCountName]: String(counted),
            ...(ignored > 0 && { [indexIgnoredFailureCountName]: String(ignored) }),
          }),
        },
      },
      ...(spec && {
        spec: {
          ...spec,
          hostname: `${name}-${index}`,
          containers: spec.containers.map(withIndexVariable),
          ...(spec.initContainers && { initContainers: spec.initContainers.map(withIndexVariable) }),
        },
      }),
    },
  };
}

const indexVariable = "JOB_COMPLETION_INDEX";

function withIndexVariable(container: DeepReadonly<Container>): DeepReadonly<Container> {
  if (container.env?.some(({ name }) => name === indexVariable)) return container;
  const fieldPath = `metadata.labels['${completionIndexName}']`;
  return {
    ...container,
    env: [...(container.env ?? []), { name: indexVariable, valueFrom: { fieldRef: { fieldPath } } }],
  };
}
