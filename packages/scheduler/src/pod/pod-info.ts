import { type NodeMatch, requiredNodeMatch } from "@coxswain/api/placement";
import { hasPodLevelRequests } from "@coxswain/api/pods";
import { type AffinityTerm, affinityTermsOf, type WeightedAffinityTerm, weightedTermsOf } from "./affinity-term.js";
import { type HostPort, hostPortsOf } from "./host-ports.js";
import { namespaceOf, type Pod, priorityOf, uidOf } from "./objects.js";
import { podRequests, scheduled } from "./pod-requests.js";
import { type Amounts, type Resource, resourceOf } from "./resource.js";

/**
 * What scheduling asks about a pod again and again, computed once and when it is first asked for. It belongs to one version of
 * the pod: a changed pod gets a new one.
 */
export class PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly priority: number;
  #sums: RequestSums | undefined;
  #terms: AffinityTerms | undefined;
  #hostPorts: readonly HostPort[] | undefined;
  #claimKeys: readonly string[] | undefined;
  #required: NodeMatch | undefined | null = null;

  constructor(pod: Pod) {
    this.pod = pod;
    this.uid = uidOf(pod);
    this.namespace = namespaceOf(pod);
    this.priority = priorityOf(pod);
  }

  /** What the pod takes of a node. */
  get requests(): Resource {
    return this.#requestSums.requests;
  }

  /** The same where a container that requests nothing counts as a small one: for spreading pods by size. */
  get nonZero(): { readonly milliCpu: number; readonly memory: number } {
    return this.#requestSums.nonZero;
  }

  get #requestSums(): RequestSums {
    return (this.#sums ??= sumRequests(this.pod));
  }

  get hostPorts(): readonly HostPort[] {
    return (this.#hostPorts ??= hostPortsOf(this.pod));
  }

  /** The PersistentVolumeClaims that its volumes name, as namespace/name. */
  get claimKeys(): readonly string[] {
    return (this.#claimKeys ??= claimKeysOf(this.pod));
  }

  /** @throws SelectorError for a term that cannot be parsed */
  get terms(): AffinityTerms {
    return (this.#terms ??= compileTerms(this.pod));
  }

  get hasPodAffinity(): boolean {
    const affinity = this.pod.spec?.affinity;
    return affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined;
  }

  /** What the pod's node selector and required node affinity ask; undefined where they ask nothing. */
  get requiredNodeMatch(): NodeMatch | undefined {
    if (this.#required === null) this.#required = requiredNodeMatch(this.pod);
    return this.#required;
  }
}

export interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly WeightedAffinityTerm[];
  readonly preferredAnti: readonly WeightedAffinityTerm[];
}

interface RequestSums {
  readonly requests: Resource;
  readonly nonZero: { readonly milliCpu: number; readonly memory: number };
}

/** Upstream's (pkg/scheduler/util/pod_resources.go): 100 thousandths of a core, 200 MiB. */
export const assumedRequests: ReadonlyMap<string, number> = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 * 1024],
]);

function sumRequests(pod: Pod): RequestSums {
  const requests = podRequests(pod, scheduled);
  const assumed = hasPodLevelRequests(pod) ? missingIn(requests) : assumedRequests;
  const nonZero = assumed.size === 0 ? requests : podRequests(pod, { assumed, ...scheduled });
  return {
    requests: resourceOf(requests),
    nonZero: { milliCpu: Math.ceil(nonZero.get("cpu") ?? 0), memory: Math.ceil(nonZero.get("memory") ?? 0) },
  };
}

const missingIn = (requests: Amounts): ReadonlyMap<string, number> =>
  new Map([...assumedRequests].filter(([name]) => !requests.has(name)));

function compileTerms(pod: Pod): AffinityTerms {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  if (podAffinity === undefined && podAntiAffinity === undefined) return noTerms;
  return {
    required: affinityTermsOf(pod, podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAnti: affinityTermsOf(pod, podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferred: weightedTermsOf(pod, podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAnti: weightedTermsOf(pod, podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
  };
}

const noTerms: AffinityTerms = { required: [], requiredAnti: [], preferred: [], preferredAnti: [] };
const noKeys: readonly string[] = [];

function claimKeysOf(pod: Pod): readonly string[] {
  let keys: string[] | undefined;
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? [])
    if (persistentVolumeClaim) (keys ??= []).push(`${namespaceOf(pod)}/${persistentVolumeClaim.claimName}`);
  return keys ?? noKeys;
}
