import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { deprecatedNodeLabel } from "../../pod-spec/warnings/deprecated-node-labels.js";
import type { StoredStorageClass } from "./stored.js";

export const storageClassWarnings = ({ allowedTopologies = [] }: DeepReadonly<StoredStorageClass>): string[] =>
  allowedTopologies.flatMap(({ matchLabelExpressions = [] }, at) =>
    matchLabelExpressions.flatMap(({ key }, i) => {
      const advice = deprecatedNodeLabel(key);
      return advice === undefined
        ? []
        : [
            `${fieldPath("allowedTopologies").index(at).child("matchLabelExpressions").index(i).child("key")}: ${advice}`,
          ];
    }),
  );
