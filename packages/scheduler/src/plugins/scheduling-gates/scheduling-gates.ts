import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { Plugin } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";
import type { Pod } from "../../pod/objects.js";

const name = "SchedulingGates";

/** A pod with scheduling gates is not tried until the last one is gone. */
export const createSchedulingGates = (): Plugin => ({
  name,
  events: [
    {
      event: clusterEvent("Pod", actions.updatePodSchedulingGatesEliminated),
      hint: (pod, _, object) => (object as Pod).metadata?.uid === pod.uid,
    },
  ],
  preEnqueue(pod) {
    const gates = pod.spec?.schedulingGates;
    if (gates === undefined || gates.length === 0) return undefined;
    return unresolvable(name, `waiting for scheduling gates: [${gates.map((gate) => gate.name).join(" ")}]`);
  },
});
