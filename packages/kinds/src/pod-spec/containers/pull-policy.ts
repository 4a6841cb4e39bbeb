import type { FieldError, FieldPath } from "@coxswain/apimachinery/field";
import { checkRequiredOneOf } from "../../checks/field-errors.js";

export const checkPullPolicy = (policy: string | undefined, path: FieldPath): readonly FieldError[] =>
  checkRequiredOneOf(policy, ["Always", "IfNotPresent", "Never"], path);
