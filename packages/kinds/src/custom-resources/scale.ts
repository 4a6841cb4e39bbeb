import type { DeepReadonly } from "@coxswain/api";
import { cloneJson } from "@coxswain/apimachinery/json";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { badRequest, internalError, StatusError } from "@coxswain/apimachinery/status";
import { isObject } from "@coxswain/apimachinery/structural-schema";
import type { ScalePaths } from "../definition/kind-definition.js";
import type { CustomObject } from "./custom-object.js";
import { type Nested, nestedInteger, nestedText } from "./nested-value.js";

/** What the view `scale` shows of an object. */
export interface CustomScale {
  /** Undefined where the object has no such value. */
  readonly specReplicas: number | undefined;
  readonly statusReplicas: number;
  readonly selector: string;
}

/** Reads the replicas of an object. @throws StatusError when they are of another type */
export function readScale(object: DeepReadonly<CustomObject>, paths: ScalePaths): CustomScale {
  const specReplicas = orThrow(nestedInteger(object, paths.specReplicas));
  const statusReplicas = orThrow(nestedInteger(object, paths.statusReplicas));
  const selector = paths.labelSelector && orThrow(nestedText(object, paths.labelSelector));
  return {
    specReplicas: specReplicas === undefined ? undefined : toInt32(specReplicas),
    statusReplicas: toInt32(statusReplicas ?? 0),
    selector: selector ?? "",
  };
}

/** Validation keeps replicas in range; what was stored before it did is cut off as Go does. */
const toInt32 = (value: number | bigint): number => Number(BigInt.asIntN(32, BigInt(value)));

function orThrow<T>(nested: Nested<T>): T | undefined {
  // Upstream hands the error on as it is, which is a 500 without a reason.
  if (nested.error !== undefined) throw new StatusError({ code: 500, reason: "", message: nested.error });
  return nested.value;
}

/** For reading the view: an object without replicas has none to show. */
export const noReplicas = (paths: ScalePaths): Error =>
  internalError(`the spec replicas field "${textOf(paths)}" does not exist`);

/** For writing the view: a write without replicas changes nothing where there are none. */
export const replicasNeeded = (paths: ScalePaths): Error =>
  badRequest(`the spec replicas field "${textOf(paths)}" cannot be empty`);

const textOf = ({ specReplicas }: ScalePaths): string => `.${specReplicas.join(".")}`;

/** A copy with so many replicas. @throws StatusError where the path leads through what is no object */
export function withReplicas<T extends CustomObject>(
  object: DeepReadonly<T>,
  replicas: number,
  { specReplicas }: ScalePaths,
): T {
  const copy = cloneJson(object) as T;
  let inner = copy as unknown as Record<string, unknown>;
  for (const [at, name] of specReplicas.slice(0, -1).entries()) {
    const value = getOwn<unknown>(inner, name) ?? {};
    if (!isObject(value))
      throw badRequest(
        `value cannot be set because .${specReplicas.slice(0, at + 1).join(".")} is not a map[string]interface{}`,
      );
    setOwn(inner, name, value);
    inner = value as Record<string, unknown>;
  }
  setOwn(inner, specReplicas.at(-1) ?? "", replicas);
  return copy;
}
