import type { FieldError } from "@coxswain/apimachinery/field";
import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Steps } from "@coxswain/runtime/steps";
import { memberOf, setMember } from "../custom-resources/custom-object.js";
import type { CustomValidator } from "../custom-resources/validator.js";
import type { FieldErrors } from "../definition/field-errors.js";
import type { Strategy, UpdateStrategy } from "../definition/strategy.js";
import type { ApiKind } from "./api-kind.js";

type ValidatorOf = () => Steps<CustomValidator>;

/** The schema's checks around what the kind's own strategy does. */
export function ownStrategy<T extends KubernetesObject>(
  { strategy = {}, status }: ApiKind<T>,
  validator: ValidatorOf,
): Strategy<T> {
  const hasStatus = status !== undefined && status !== false;
  return {
    allowUnconditionalUpdate: false,
    ...strategy,
    resetFields: hasStatus ? [["status"]] : [],
    prepareForCreate(object, context) {
      if (hasStatus) {
        setMember(object, "status", undefined);
        object.metadata.generation = 1;
      }
      strategy.prepareForCreate?.(object, context);
    },
    *validateCreate(object, context) {
      const found = yield* (yield* validator()).checkCreate(object);
      return [...found, ...(yield* errorsOf(strategy.validateCreate?.(object, context)))];
    },
    prepareForUpdate(object, old, context) {
      if (hasStatus) setMember(object, "status", cloneJson(memberOf(old, "status")));
      strategy.prepareForUpdate?.(object, old, context);
      if (hasStatus)
        object.metadata.generation =
          (old.metadata.generation ?? 0) + (equalJson(content(object), content(old)) ? 0 : 1);
    },
    *validateUpdate(object, old, context) {
      const found = yield* (yield* validator()).checkUpdate(object, old, context.warn);
      return [...found, ...(yield* errorsOf(strategy.validateUpdate?.(object, old, context)))];
    },
  };
}

/** Everything but the status, and who owns what, stays as it is stored. */
export function ownStatusView<T extends KubernetesObject>(
  { status }: ApiKind<T>,
  validator: ValidatorOf,
): UpdateStrategy<T> {
  const own = typeof status === "object" ? status : {};
  return {
    ...own,
    resetFields: [["spec"]],
    prepareForUpdate(object, old, context) {
      for (const member of Object.keys({ ...object, ...old }))
        if (!ofStatus.has(member)) setMember(object, member, cloneJson(memberOf(old, member)));
      own.prepareForUpdate?.(object, old, context);
    },
    *validateUpdate(object, old, context) {
      const found = yield* (yield* validator()).checkStatusUpdate(object, old, context.warn);
      return [...found, ...(yield* errorsOf(own.validateUpdate?.(object, old, context)))];
    },
  };
}

/** Members that an update of the status may change; of metadata the server keeps what is its own. */
const ofStatus = new Set(["apiVersion", "kind", "metadata", "status"]);

function* errorsOf(errors: FieldErrors | undefined): Steps<FieldError[]> {
  if (errors === undefined) return [];
  return Array.isArray(errors) ? errors : yield* errors;
}

function content(object: object): object {
  const { metadata: _, status: __, ...rest } = object as Record<string, unknown>;
  return rest;
}
