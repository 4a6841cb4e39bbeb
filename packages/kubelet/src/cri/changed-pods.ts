import type { Decoded } from "@coxswain/wire/protobuf";
import type { Container, PodSandbox } from "../gen/cri.js";
import { labelNames } from "./labels.js";

/** States by ID, and whose they are. */
export type Listing = ReadonlyMap<string, { readonly podUid: string; readonly state: number }>;

/** Pure: what a relist found. */
export function listingOf(
  sandboxes: readonly Decoded<typeof PodSandbox>[],
  containers: readonly Decoded<typeof Container>[],
): Listing {
  const listing = new Map<string, { podUid: string; state: number }>();
  const note = (id: string, labels: ReadonlyMap<string, string>, state: number): void => {
    const podUid = labels.get(labelNames.podUid);
    if (podUid) listing.set(id, { podUid, state });
  };
  for (const { id, labels, state } of sandboxes) note(id, labels, state);
  for (const { id, labels, state } of containers) note(id, labels, state);
  return listing;
}

/** Pure: the pods of which something was added, removed or changed its state. Upstream's `pkg/kubelet/pleg/generic.go`. */
export function changedPods(before: Listing, after: Listing): Set<string> {
  const changed = new Set<string>();
  for (const [id, { podUid, state }] of after) if (before.get(id)?.state !== state) changed.add(podUid);
  for (const [id, { podUid }] of before) if (!after.has(id)) changed.add(podUid);
  return changed;
}
