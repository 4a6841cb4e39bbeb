import type { DeepReadonly } from "@coxswain/api";
import { ownKeys } from "@coxswain/apimachinery/own";
import { deprecatedNodeLabel } from "../../pod-spec/warnings/deprecated-node-labels.js";
import type { StoredRuntimeClass } from "./stored.js";

export const runtimeClassWarnings = ({ scheduling }: DeepReadonly<StoredRuntimeClass>): string[] =>
  ownKeys(scheduling?.nodeSelector).flatMap((key) => {
    const advice = deprecatedNodeLabel(key);
    return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
  });
