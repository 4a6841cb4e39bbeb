import type { Node } from "@coxswain/api/core/v1";
import { amountOf } from "@coxswain/api/pods";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { type CachedPod, uidOf } from "../objects/cached-pod.js";
import { type Amounts, requestsOf } from "./pod-requests.js";

/** What the pods of a node take together; kept up to date pod by pod, so that admission does not sum them up each time. */
export interface ResourceUse {
  readonly pods: number;
  /** CPU in thousandths, everything else in units. */
  of(resource: string): number;
}

export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** Pure: the first resource that the node has too little of. Extended resources that it does not know are not its concern. */
export function findShortage(pod: CachedPod, node: DeepReadonly<Node>, used: ResourceUse): Shortage | undefined {
  const allocatable = node.status?.allocatable;
  const capacity = (resource: string): number => amountOf(resource, getOwn(allocatable, resource) ?? "0");
  const pods = capacity("pods");
  if (used.pods + 1 > pods) return { resource: "pods", requested: 1, used: used.pods, capacity: pods };
  for (const [resource, requested] of ordered(requestsOf(pod))) {
    if (requested === 0 || (isExtended(resource) && getOwn(allocatable, resource) === undefined)) continue;
    const shortage = { resource, requested, used: used.of(resource), capacity: capacity(resource) };
    if (shortage.requested > shortage.capacity - shortage.used) return shortage;
  }
  return undefined;
}

const firstResources = ["cpu", "memory", "ephemeral-storage"];

function ordered(requests: ReadonlyMap<string, number>): [string, number][] {
  const rank = (resource: string): number => {
    const at = firstResources.indexOf(resource);
    return at < 0 ? firstResources.length : at;
  };
  return [...requests].sort(([a], [b]) => rank(a) - rank(b));
}

const isExtended = (resource: string): boolean => resource.includes("/") && !resource.includes("kubernetes.io/");

/** Adds up what pods take as they come and go. */
export interface ResourceLedger extends ResourceUse {
  add(pod: CachedPod): void;
  /** Removes what a pod takes, and returns it; undefined where it took nothing. */
  take(uid: string): Amounts | undefined;
  /** The opposite of `take`. */
  put(uid: string, requests: Amounts): void;
}

export function createResourceLedger(): ResourceLedger {
  const byPod = new Map<string, Amounts>();
  const sums = new Map<string, number>();
  const change = (requests: Amounts, sign: 1 | -1): void => {
    for (const [resource, amount] of requests) sums.set(resource, (sums.get(resource) ?? 0) + sign * amount);
  };
  const take = (uid: string): Amounts | undefined => {
    const before = byPod.get(uid);
    if (before) change(before, -1);
    byPod.delete(uid);
    return before;
  };
  const put = (uid: string, requests: Amounts): void => {
    take(uid);
    byPod.set(uid, requests);
    change(requests, 1);
  };
  return {
    get pods() {
      return byPod.size;
    },
    of: (resource) => sums.get(resource) ?? 0,
    add: (pod) => put(uidOf(pod), requestsOf(pod)),
    take,
    put,
  };
}
