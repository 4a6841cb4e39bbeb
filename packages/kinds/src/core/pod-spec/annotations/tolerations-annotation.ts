import type { Toleration } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import type { PodRules } from "../rules.js";
import { checkTolerations } from "../scheduling/tolerations.js";

/** Tolerations stood here before they had a field. Nothing reads them, but they are still judged. */
const tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations";

export function checkTolerationsAnnotation(annotations: Readonly<Record<string, string>>, path: FieldPath, rules: Pick<PodRules, "comparingTolerations">): FieldError[] {
  const text = getOwn(annotations, tolerationsAnnotation) ?? "";
  if (text === "") return [];
  const parsed = parse(text);
  if (typeof parsed === "string") return [invalid(path, tolerationsAnnotation, parsed)];
  return checkTolerations(parsed, path.child(tolerationsAnnotation), rules);
}

/** A text is why it cannot be read, in Go's words for the common case of a wrong first character. */
function parse(text: string): Toleration[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const first = text.trimStart()[0];
    return first === undefined || /["[{0-9tfn-]/.test(first) ? "unexpected end of JSON input" : `invalid character '${first}' looking for beginning of value`;
  }
  if (value === null) return [];
  if (!Array.isArray(value)) return `json: cannot unmarshal ${goKind(value)} into Go value of type []core.Toleration`;
  return value.map((item: unknown) => readMembers(item));
}

const goKind = (value: unknown): string => (typeof value === "boolean" ? "bool" : typeof value);

/** Go takes a member's name in any case. */
function readMembers(item: unknown): Toleration {
  const members = new Map(Object.entries(item ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string): string => String(members.get(name) ?? "");
  const seconds: unknown = members.get("tolerationseconds");
  const toleration = { key: text("key"), value: text("value"), operator: text("operator") || undefined, effect: text("effect") || undefined };
  return { ...toleration, ...(typeof seconds === "number" ? { tolerationSeconds: seconds } : {}) } as Toleration;
}
