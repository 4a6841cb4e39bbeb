import type { DeepReadonly } from "@coxswain/api";
import type { DeviceSelector } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, required, tooLong } from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { checkBoundedList } from "../bounded-list.js";

const mostSelectors = 32;
const longestExpression = 10 * 1024;

/** That expressions compile, and at what cost, is not checked here. */
export const checkSelectors = (
  selectors: readonly DeepReadonly<DeviceSelector>[] | undefined,
  path: FieldPath,
): FieldError[] => checkBoundedList(selectors, mostSelectors, path, checkSelector);

function checkSelector({ cel }: DeepReadonly<DeviceSelector>, path: FieldPath): FieldError[] {
  const here = path.child("cel");
  if (!cel) return [required(here)];
  return utf8Length(cel.expression) > longestExpression ? [tooLong(here.child("expression"), longestExpression)] : [];
}
