import type { KubernetesObject, ObjectMeta } from "@coxswain/apimachinery/meta";

// Pure: kinds of which a part holds for one uid only.

interface Job extends KubernetesObject {
  readonly spec?: {
    readonly manualSelector?: boolean;
    readonly selector?: unknown;
    readonly template?: { readonly metadata?: ObjectMeta };
  };
}

const jobLabels = ["batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name", "controller-uid", "job-name"];

/** A job selects its pods by its uid: a new one has a selector of its own, one that is there keeps it. */
export function withJobSelector(job: Job, present: Job | undefined): KubernetesObject {
  const { spec } = job;
  if (!spec || spec.manualSelector) return job;
  const { selector: _, ...rest } = spec;
  const { selector, template: kept } = present?.spec ?? {};
  const own = pick(kept?.metadata?.labels, (name) => jobLabels.includes(name));
  const { labels, ...metadata } = spec.template?.metadata ?? {};
  const others = pick(labels, (name) => !jobLabels.includes(name));
  const template = { ...spec.template, metadata: { ...metadata, ...unlessEmpty("labels", { ...others, ...own }) } };
  return { ...job, spec: { ...rest, ...(selector !== undefined && { selector }), template } } as KubernetesObject;
}

/** Set when a claim was bound: they hold for the uid that it had. */
const bindingAnnotations = ["pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller"];
const nodeAnnotation = "volume.kubernetes.io/selected-node";

/** A claim that is bound to its volume again, or that is given another one. */
export function unboundClaim(
  claim: KubernetesObject & { readonly spec?: object },
  isVolumeGone: boolean,
): KubernetesObject {
  const gone = isVolumeGone ? [...bindingAnnotations, nodeAnnotation] : bindingAnnotations;
  const { annotations, ...metadata } = claim.metadata ?? {};
  const kept = pick(annotations, (name) => !gone.includes(name));
  const spec: Record<string, unknown> = { ...claim.spec };
  if (isVolumeGone) delete spec["volumeName"];
  return { ...claim, metadata: { ...metadata, ...unlessEmpty("annotations", kept) }, spec } as KubernetesObject;
}

const unlessEmpty = (name: string, map: Readonly<Record<string, string>>): object =>
  Object.keys(map).length === 0 ? {} : { [name]: map };

const pick = (
  map: Readonly<Record<string, string>> | undefined,
  isWanted: (name: string) => boolean,
): Record<string, string> => Object.fromEntries(Object.entries(map ?? {}).filter(([name]) => isWanted(name)));
