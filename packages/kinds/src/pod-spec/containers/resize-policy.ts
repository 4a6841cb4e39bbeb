import type { DeepReadonly } from "@coxswain/api";
import type { ContainerResizePolicy } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, invalid, namedText } from "@coxswain/apimachinery/field";
import { checkRequiredOneOf } from "../../checks/field-errors.js";

export function checkResizePolicy(
  policies: readonly DeepReadonly<ContainerResizePolicy>[],
  path: FieldPath,
  podRestartPolicy: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { resourceName, restartPolicy }] of policies.entries()) {
    if (seen.has(resourceName)) errors.push(duplicate(path.index(i), namedText(resourceName)));
    seen.add(resourceName);
    append(errors, checkRequiredOneOf(resourceName, ["cpu", "memory"], path));
    append(errors, checkRequiredOneOf(restartPolicy, ["NotRequired", "RestartContainer"], path));
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      errors.push(invalid(path, namedText(restartPolicy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  }
  return errors;
}
