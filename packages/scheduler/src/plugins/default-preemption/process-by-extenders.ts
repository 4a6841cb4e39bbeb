import type { Snapshot } from "../../cache/snapshot.js";
import type { Extender, Victims } from "../../extender/extender.js";
import { errorStatus, type Status } from "../../framework/status.js";
import type { Pod } from "../../pod/objects.js";

export interface Processed {
  readonly victims: ReadonlyMap<string, Victims>;
  readonly failure?: Status;
}

/** Extenders may strike candidates and change their victims, one after the other. */
export async function processByExtenders(
  extenders: readonly Extender[],
  { pod, found, snapshot }: { pod: Pod; found: ReadonlyMap<string, Victims>; snapshot: Snapshot },
): Promise<Processed> {
  let victims = found;
  for (const extender of extenders) {
    if (!extender.preempts || !extender.isInterested(pod)) continue;
    try {
      const left = await extender.preempt(pod, victims, snapshot);
      for (const [node, { pods }] of left) {
        if (pods.length > 0) continue;
        if (!extender.ignorable)
          return { victims, failure: errorStatus("", new Error(`expected at least one victim pod on node "${node}"`)) };
        left.delete(node);
      }
      victims = left;
    } catch (error) {
      if (!extender.ignorable) return { victims, failure: errorStatus("", error) };
    }
    if (victims.size === 0) break;
  }
  return { victims };
}
