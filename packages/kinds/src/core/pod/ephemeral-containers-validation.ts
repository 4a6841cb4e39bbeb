import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, forbidden, quoteGo } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { sameForm } from "../../internal-form/equal.js";
import { indentedJson } from "../../internal-form/go-text.js";
import { internalForm } from "../../internal-form/internal-form.js";
import { unifiedDiff } from "../../internal-form/unified-diff.js";
import { mirrorAnnotation } from "../../pod-spec/annotations/annotations.js";
import { checkAnnotationUpdates } from "./annotation-updates.js";
import type { StoredPod } from "./stored.js";
import { checkMetadataAndSpec, rulesFor } from "./validation.js";

type ReadonlyPod = DeepReadonly<StoredPod>;

/** Debug containers are added to a running pod; those it has stay as they are. */
export function checkEphemeralContainersUpdate(
  next: ReadonlyPod,
  old: ReadonlyPod,
  context: Pick<StrategyContext, "gates" | "allowPrivileged">,
): FieldError[] {
  if (getOwn(old.metadata.annotations, mirrorAnnotation) !== undefined)
    return [forbidden(fieldPath(""), "static pods do not support ephemeral containers")];
  const rules = rulesFor(context, old);
  const errors = [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkMetadataAndSpec(next, rules),
    ...checkAnnotationUpdates(next, old, rules),
  ];
  return [...errors, ...checkKept(next, old)];
}

function checkKept(next: ReadonlyPod, old: ReadonlyPod): FieldError[] {
  const path = fieldPath("spec", "ephemeralContainers");
  return (old.spec.ephemeralContainers ?? []).flatMap((container) => {
    const name = quoteGo(container.name);
    const kept = next.spec.ephemeralContainers?.findLast((candidate) => candidate.name === container.name);
    if (!kept) return [forbidden(path, `existing ephemeral containers ${name} may not be removed\n`)];
    const [before, after] = [internalForm("EphemeralContainer", container), internalForm("EphemeralContainer", kept)];
    if (sameForm(before, after)) return [];
    return [
      forbidden(
        path,
        `existing ephemeral containers ${name} may not be changed\n${unifiedDiff(indentedJson(before), indentedJson(after))}`,
      ),
    ];
  });
}
