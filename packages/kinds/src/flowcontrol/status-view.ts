import type { DeepReadonly } from "@coxswain/api";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import { keep } from "../definition/keep.js";
import type { UpdateStrategy } from "../definition/strategy.js";
import { checkConditionTypes } from "./conditions.js";

interface Configuration {
  metadata: ObjectMeta;
  spec: object;
  status: { conditions?: { type?: string }[] };
}

/** Who writes the status changes nothing else, not even labels. */
export const statusView = <T extends Configuration>(): UpdateStrategy<T> => ({
  resetFields: [["metadata"], ["spec"]],
  prepareForUpdate(object, old: DeepReadonly<T>) {
    const { managedFields } = object.metadata;
    keep(object, old, "spec");
    object.metadata = cloneJson(old.metadata) as T["metadata"];
    delete object.metadata.managedFields;
    if (managedFields) object.metadata.managedFields = managedFields;
  },
  validateUpdate: (object) => checkConditionTypes((object as unknown as Configuration).status.conditions ?? []),
});
