import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, Quantity } from "@coxswain/apimachinery/quantity";
import { findContainer } from "../objects/cached-pod.js";
import type { ContainerStats } from "../runtime/container-runtime.js";
import type { Observations } from "./observations.js";
import type { PodUsage } from "./rank-pods.js";
import { resourceOf, type StarvedResource } from "./signals.js";
import { amountOf, type Threshold } from "./thresholds.js";

export interface EvictionMessageFacts {
  readonly resource: StarvedResource;
  /** Thresholds that are met; empty where somebody asked for the eviction. */
  readonly met: readonly Threshold[];
  readonly observations: Observations;
}

/** Pure: the message in an evicted pod's status: what the node lacks, and which containers use more of it than they request. */
export function evictionMessage({ pod, stats }: PodUsage, facts: EvictionMessageFacts): string {
  const { resource } = facts;
  let message = `The node was low on resource: ${resource}. ${thresholdText(facts)}`;
  if (!stats) return message;
  const podRequest = resource === "memory" ? getOwn(pod.spec?.resources?.requests, "memory") : undefined;
  if (podRequest !== undefined) {
    const used = stats.containers.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    message += `Pod ${pod.metadata?.name} was using ${bytesText(used)}, request is ${podRequest}, has larger consumption of memory. `;
  }
  for (const container of stats.containers) {
    const used = usedBy(container, resource);
    const spec = findContainer(pod, container.name);
    if (used === undefined || !spec) continue;
    const request = parseQuantity(getOwn(spec.resources?.requests, resource) ?? "0");
    if (used > Number(request.value()))
      message += `Container ${container.name} was using ${bytesText(used)}, request is ${request.toString()}, has larger consumption of ${resource}. `;
  }
  return message;
}

function thresholdText({ resource, met, observations }: EvictionMessageFacts): string {
  const threshold = met.find(({ signal }) => resourceOf[signal] === resource);
  const observed = threshold && observations.get(threshold.signal);
  if (!threshold || !observed) return "";
  const isCount = resource === "inodes" || resource === "pids";
  const text = isCount ? String : bytesText;
  // Of a count a share of the capacity is written as bytes are, as upstream does (pkg/kubelet/eviction/helpers.go, evictionMessage).
  const wanted = amountOf(threshold.value, observed.capacity);
  const wantedText = "percentage" in threshold.value ? bytesText(wanted) : text(wanted);
  return `Threshold quantity: ${wantedText}, available: ${text(observed.available)}. `;
}

function usedBy({ memoryBytes, storageBytes }: ContainerStats, resource: StarvedResource): number | undefined {
  if (resource === "memory") return memoryBytes;
  return resource === "ephemeral-storage" ? storageBytes : undefined;
}

/** As upstream writes amounts of bytes (k8s.io/apimachinery/pkg/api/resource/quantity.go, String): the largest suffix without a fraction. */
export const bytesText = (bytes: number): string => Quantity.of(Math.trunc(bytes), "BinarySI").toString();
