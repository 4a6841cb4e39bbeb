import type { DeepReadonly } from "@coxswain/api";
import type { Device } from "@coxswain/api/resource/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { internalList } from "../../internal-form/internal-form.js";
import { checkNodeSelector } from "../../pod-spec/scheduling/node-affinity.js";

interface Rules {
  /** The message for an empty nodeName. */
  readonly emptyName: string;
  readonly oneTerm: boolean;
}

/** Which nodes reach a device: the ways that were chosen, as messages name them, and what is wrong with each. */
export function checkNodeChoice(
  { nodeName, nodeSelector, allNodes }: DeepReadonly<Pick<Device, "nodeName" | "nodeSelector" | "allNodes">>,
  path: FieldPath,
  { emptyName, oneTerm }: Rules,
): { chosen: string[]; errors: FieldError[] } {
  const chosen: string[] = [];
  const errors: FieldError[] = [];
  if (nodeName) {
    chosen.push("`nodeName`");
    append(errors, problemsAt(path.child("nodeName"), nodeName, nameIsDnsSubdomain(nodeName)));
  } else if (nodeName === "") {
    errors.push(invalid(path.child("nodeName"), nodeName, emptyName));
  }
  if (nodeSelector) {
    const here = path.child("nodeSelector");
    chosen.push("`nodeSelector`");
    append(errors, checkNodeSelector(nodeSelector, here, { invalidValues: false }));
    const terms = nodeSelector.nodeSelectorTerms ?? [];
    if (oneTerm && terms.length !== 1)
      errors.push(
        invalid(
          here.child("nodeSelectorTerms"),
          internalList("NodeSelectorTerm", nodeSelector.nodeSelectorTerms),
          "must have exactly one node selector term",
        ),
      );
  }
  if (allNodes) chosen.push("`allNodes`");
  else if (allNodes === false)
    errors.push(invalid(path.child("allNodes"), false, "must be either unset or set to true"));
  return { chosen, errors };
}
