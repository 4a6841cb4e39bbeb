import type { Toleration } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { readJsonObjects } from "../../checks/json-text.js";
import type { PodRules } from "../pod-rules.js";
import { checkTolerations } from "../scheduling/tolerations.js";

/** Tolerations stood here before they had a field. Nothing reads them, but they are still validated. */
const tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations";

export function checkTolerationsAnnotation(
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
  rules: Pick<PodRules, "comparingTolerations">,
): FieldError[] {
  const text = getOwn(annotations, tolerationsAnnotation) ?? "";
  if (text === "") return [];
  const read = readJsonObjects(text, "core.Toleration");
  if ("problem" in read) return [invalid(path, tolerationsAnnotation, read.problem)];
  return checkTolerations(read.value.map(readMembers), path.child(tolerationsAnnotation), rules);
}

/** Go takes a member's name in any case. */
function readMembers(item: unknown): Toleration {
  const members = new Map(Object.entries(item ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string): string => String(members.get(name) ?? "");
  const seconds: unknown = members.get("tolerationseconds");
  const toleration = {
    key: text("key"),
    value: text("value"),
    operator: text("operator") || undefined,
    effect: text("effect") || undefined,
  };
  return { ...toleration, ...(typeof seconds === "number" ? { tolerationSeconds: seconds } : {}) } as Toleration;
}
