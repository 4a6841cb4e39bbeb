import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { rulePrefix } from "../objects/rule-prefix.js";

/** Of a simulated machine. `off`: what ran is gone; `unreachable`: it runs, but reaches the API server no more. */
export type MachineState = "on" | "off" | "unreachable";

/** The annotation of a Node by which people and commands turn machines off, cut them off, and end both by removing it. */
export const machineAnnotation = `${rulePrefix}machine`;

export function machineStateOf(node: DeepReadonly<Node> | undefined): MachineState {
  const state = getOwn(node?.metadata?.annotations, machineAnnotation);
  return state === "off" || state === "unreachable" ? state : "on";
}
