import type { DeepReadonly } from "@coxswain/api";
import type { DeviceSelector } from "@coxswain/api/resource/v1";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  internalError,
  invalid,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkBoundedList } from "../bounded-list.js";

const mostSelectors = 32;
const longestExpression = 10 * 1024;
/** Units of CEL's cost model; upstream takes a million for a tenth of a second. */
const mostCost = 1_000_000;

export interface CheckSelectorsOptions {
  readonly context: StrategyContext;
  /** The same selectors stood there before: they may use what new ones may not use yet. */
  readonly isStored: boolean;
}

export const checkSelectors = (
  selectors: readonly DeepReadonly<DeviceSelector>[] | undefined,
  path: FieldPath,
  options: CheckSelectorsOptions,
): FieldError[] =>
  checkBoundedList(selectors, mostSelectors, path, ({ cel }, at) => {
    const here = at.child("cel");
    return cel ? checkExpression(cel.expression, here.child("expression"), options) : [required(here)];
  });

function checkExpression(
  expression: string,
  path: FieldPath,
  { context: { gates, compileDeviceSelector }, isStored }: CheckSelectorsOptions,
): FieldError[] {
  if (utf8Length(expression) > longestExpression) return [tooLong(path, longestExpression)];
  if (!compileDeviceSelector) return [];
  const { selector, error } = compileDeviceSelector(expression, {
    isStored,
    consumableCapacity: gates.enabled("DRAConsumableCapacity"),
    listAttributes: gates.enabled("DRAListTypeAttributes"),
  });
  if (error)
    return [error.kind === "invalid" ? invalid(path, expression, error.detail) : internalError(path, error.detail)];
  return selector.estimateCost() > mostCost ? [forbidden(path, "too complex, exceeds cost limit")] : [];
}
