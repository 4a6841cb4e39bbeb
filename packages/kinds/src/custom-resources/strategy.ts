import { cloneJson, equalJson, hasWholeFloats } from "@coxswain/apimachinery/json";
import type { Steps } from "@coxswain/runtime/steps";
import type { Strategy, UpdateStrategy } from "../definition/strategy.js";
import { become, type CustomObject, memberOf, setMember } from "./custom-object.js";
import { finalizerWarnings } from "./finalizer-warnings.js";
import type { CustomValidator } from "./validator.js";

/** `hasStatus`: whether the status is written through its own view alone. */
export function customStrategy(validator: () => Steps<CustomValidator>, hasStatus: boolean): Strategy<CustomObject> {
  return {
    resetFields: hasStatus ? [["status"]] : [],
    prepareForCreate(object) {
      if (hasStatus) setMember(object, "status", undefined);
      object.metadata.generation = 1;
    },
    *validateCreate(object) {
      return yield* (yield* validator()).checkCreate(object);
    },
    warningsOnCreate: (object) => finalizerWarnings(object),
    prepareForUpdate(object, old) {
      if (hasStatus) setMember(object, "status", cloneJson(memberOf(old, "status")));
      const content = withoutMetadata(object);
      // A float is not the integer that is stored of it, though both are written alike.
      if (!equalJson(content, withoutMetadata(old)) || hasWholeFloats(hasStatus ? withoutStatus(content) : content))
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    *validateUpdate(object, old, { warn }) {
      return yield* (yield* validator()).checkUpdate(object, old, warn);
    },
    warningsOnUpdate: (object, old) => finalizerWarnings(object, old),
    allowUnconditionalUpdate: false,
  };
}

/** Everything but the status, and who owns what, stays as it is stored. */
export const customStatusView = (validator: () => Steps<CustomValidator>): UpdateStrategy<CustomObject> => ({
  resetFields: [["metadata"], ["spec"]],
  prepareForUpdate(object, old) {
    const { managedFields: _, ...metadata } = cloneJson(old.metadata) as CustomObject["metadata"];
    const { managedFields } = object.metadata;
    const status = memberOf(object, "status");
    become(object, { ...cloneJson(old), metadata: { ...metadata, ...(managedFields && { managedFields }) } });
    setMember(object, "status", status);
  },
  *validateUpdate(object, old, { warn }) {
    return yield* (yield* validator()).checkStatusUpdate(object, old, warn);
  },
});

function withoutMetadata(object: { readonly metadata: unknown }): object {
  const { metadata: _, ...rest } = object;
  return rest;
}

function withoutStatus(object: { readonly status?: unknown }): object {
  const { status: _, ...rest } = object;
  return rest;
}
