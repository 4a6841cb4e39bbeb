import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import type { Container, ContainerStatus, Pod } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";

/**
 * What a pod requests, and what it is limited to: the one algorithm of `k8s.io/component-helpers/resource` (`helpers.go`), for
 * whatever numbers the caller calculates with.
 */

/** The numbers: exact quantities, or plain numbers in a unit that suits each resource. */
export interface Arithmetic<N> {
  parse(resource: string, quantity: string): N;
  add(a: N, b: N): N;
  isGreater(a: N, b: N): boolean;
  isZero(amount: N): boolean;
}

export interface PodResourcesOptions {
  /** Whether the resources of the pod as a whole count (gate PodLevelResources). */
  readonly podLevel: boolean;
  /** Whether what containers still have, while they are resized, counts next to what they ask for. */
  readonly fromStatus: boolean;
  /** Whether that holds for the resources of the pod as a whole, too (gate InPlacePodLevelResourcesVerticalScaling). */
  readonly podLevelFromStatus: boolean;
}

export interface PodRequestsOptions<N> extends PodResourcesOptions {
  /** What a container that requests nothing of a resource is taken to request. @default nothing */
  readonly assumed?: ReadonlyMap<string, N>;
}

/** Of the specification alone, pod-level resources included. */
export const specOnly: PodResourcesOptions = { podLevel: true, fromStatus: false, podLevelFromStatus: false };

type ReadPod = DeepReadonly<Pod>;
type ReadContainer = DeepReadonly<Container>;
type ResourceList = Readonly<Record<string, string>> | undefined;
type Member = "requests" | "limits";

/** Resources that may be set for a pod as a whole. */
export const isPodLevelResource = (resource: string): boolean =>
  resource === "cpu" || resource === "memory" || resource.startsWith("hugepages-");

const hasPodLevel = (list: ResourceList): boolean => ownEntries(list).some(([name]) => isPodLevelResource(name));

export const hasPodLevelRequests = ({ spec }: ReadPod): boolean => hasPodLevel(spec?.resources?.requests);

export const hasPodLevelResources = ({ spec }: ReadPod): boolean =>
  hasPodLevel(spec?.resources?.requests) || hasPodLevel(spec?.resources?.limits);

/** A sidecar: an init container that goes on running. */
export const isRestartable = ({ restartPolicy }: ReadContainer): boolean => restartPolicy === "Always";

/** What a pod requests in all: its containers, or the pod's own amounts where it has some, and what its runtime needs. */
export function podRequests<N>(pod: ReadPod, options: PodRequestsOptions<N>, numbers: Arithmetic<N>): Map<string, N> {
  const requests = containerResources(pod, "requests", options, numbers);
  if (options.podLevel) setPodLevel(requests, pod, "requests", options, numbers);
  for (const [name, text] of ownEntries(pod.spec?.overhead)) addOne(requests, name, numbers.parse(name, text), numbers);
  return requests;
}

/** What a pod is limited to in all. Its overhead counts where there is a limit. */
export function podLimits<N>(pod: ReadPod, options: PodResourcesOptions, numbers: Arithmetic<N>): Map<string, N> {
  const limits = containerResources(pod, "limits", options, numbers);
  if (options.podLevel) setPodLevel(limits, pod, "limits", options, numbers);
  for (const [name, text] of ownEntries(pod.spec?.overhead)) {
    const limit = limits.get(name);
    if (limit !== undefined && !numbers.isZero(limit)) limits.set(name, numbers.add(limit, numbers.parse(name, text)));
  }
  return limits;
}

/**
 * What the containers need together. Init containers run one after another next to the sidecars that were started before them, so
 * that the greatest moment counts (KEP 753, "Resources calculation for scheduling and pod admission").
 */
export function containerResources<N>(
  pod: ReadPod,
  member: Member,
  options: PodRequestsOptions<N>,
  numbers: Arithmetic<N>,
): Map<string, N> {
  const total = new Map<string, N>();
  const own = (container: ReadContainer): Map<string, N> => resourcesOf(pod, container, member, options, numbers);
  for (const container of pod.spec?.containers ?? []) addAll(total, own(container), numbers);
  const initContainers = pod.spec?.initContainers ?? [];
  if (initContainers.length === 0) return total;
  const sidecars = new Map<string, N>();
  const starting = new Map<string, N>();
  for (const container of initContainers) {
    const amounts = own(container);
    if (isRestartable(container)) {
      addAll(total, amounts, numbers);
      addAll(sidecars, amounts, numbers);
      raiseAll(starting, sidecars, numbers);
    } else {
      addAll(amounts, sidecars, numbers);
      raiseAll(starting, amounts, numbers);
    }
  }
  raiseAll(total, starting, numbers);
  return total;
}

/** Of one container, in a map of its own. */
function resourcesOf<N>(
  pod: ReadPod,
  container: ReadContainer,
  member: Member,
  { fromStatus, assumed }: PodRequestsOptions<N>,
  numbers: Arithmetic<N>,
): Map<string, N> {
  const spec: ResourceList = container.resources?.[member];
  const status = fromStatus ? statusOf(pod, container) : undefined;
  const amounts = status?.resources
    ? inForce(
        pod,
        { spec, actuated: status.resources[member], allocated: member === "requests" ? status.allocatedResources : {} },
        numbers,
      )
    : parseAll(spec, numbers);
  if (assumed && member === "requests")
    for (const [name, amount] of assumed)
      if (getOwn(spec, name) === undefined && !amounts.has(name)) amounts.set(name, amount);
  return amounts;
}

/** Init containers that end are never resized. */
function statusOf({ spec, status }: ReadPod, container: ReadContainer): DeepReadonly<ContainerStatus> | undefined {
  if (spec?.initContainers?.includes(container))
    return isRestartable(container)
      ? status?.initContainerStatuses?.find(({ name }) => name === container.name)
      : undefined;
  return status?.containerStatuses?.find(({ name }) => name === container.name);
}

function setPodLevel<N>(
  amounts: Map<string, N>,
  pod: ReadPod,
  member: Member,
  { fromStatus, podLevelFromStatus }: PodResourcesOptions,
  numbers: Arithmetic<N>,
): void {
  const spec: ResourceList = pod.spec?.resources?.[member];
  const granted = fromStatus && podLevelFromStatus ? pod.status?.resources : undefined;
  const allocated = member === "requests" ? pod.status?.allocatedResources : {};
  const effective = granted && inForce(pod, { spec, actuated: granted[member], allocated }, numbers);
  for (const [name, text] of ownEntries(spec))
    if (isPodLevelResource(name))
      amounts.set(name, effective ? (effective.get(name) ?? numbers.parse(name, "0")) : numbers.parse(name, text));
}

interface ResizedResources {
  readonly spec: ResourceList;
  readonly actuated: ResourceList;
  readonly allocated: ResourceList;
}

/** While a resize is under way the largest of the three counts; one that will never happen does not count at all. */
function inForce<N>(
  pod: ReadPod,
  { spec, actuated, allocated }: ResizedResources,
  numbers: Arithmetic<N>,
): Map<string, N> {
  const pending = pod.status?.conditions?.find(({ type }) => type === "PodResizePending");
  const amounts = pending?.reason === "Infeasible" ? new Map<string, N>() : parseAll(spec, numbers);
  raiseAll(amounts, parseAll(actuated, numbers), numbers);
  raiseAll(amounts, parseAll(allocated, numbers), numbers);
  return amounts;
}

function parseAll<N>(list: ResourceList, numbers: Arithmetic<N>): Map<string, N> {
  const amounts = new Map<string, N>();
  for (const [name, text] of ownEntries(list)) amounts.set(name, numbers.parse(name, text));
  return amounts;
}

function addOne<N>(to: Map<string, N>, name: string, amount: N, numbers: Arithmetic<N>): void {
  const before = to.get(name);
  to.set(name, before === undefined ? amount : numbers.add(before, amount));
}

function addAll<N>(to: Map<string, N>, more: ReadonlyMap<string, N>, numbers: Arithmetic<N>): void {
  for (const [name, amount] of more) addOne(to, name, amount, numbers);
}

function raiseAll<N>(to: Map<string, N>, other: ReadonlyMap<string, N>, numbers: Arithmetic<N>): void {
  for (const [name, amount] of other) {
    const before = to.get(name);
    if (before === undefined || numbers.isGreater(amount, before)) to.set(name, amount);
  }
}
