import type { JSONSchemaProps, ValidationRule } from "@coxswain/api/apiextensions/v1";
import { readArguments, splitList } from "./marker-arguments.js";
import { type Marker, markerError } from "./read-doc.js";

const reasons = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];

export function addRule(schema: JSONSchemaProps, rule: ValidationRule): void {
  schema["x-kubernetes-validations"] = [...(schema["x-kubernetes-validations"] ?? []), rule];
}

/** The expression alone, or `rule="…" message="…"` with what else a validation rule has. */
export function readRule(marker: Marker): ValidationRule {
  if (marker.text === "") throw markerError(marker, "needs an expression");
  if (!marker.text.startsWith("rule=")) return { rule: marker.text };
  const names = ["rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"];
  const values = readArguments(marker, names);
  const reason = values.get("reason");
  if (reason !== undefined && !reasons.includes(reason))
    throw markerError(marker, `the reason "${reason}" is none of ${reasons.join(", ")}`);
  const { optionalOldSelf, ...texts } = Object.fromEntries(values) as Record<string, string> & { rule: string };
  return { ...texts, ...(optionalOldSelf === undefined ? {} : { optionalOldSelf: optionalOldSelf === "true" }) };
}

/** How many of some members may be set, as controller-gen writes the rule. */
export function countRule(marker: Marker, count: "exactly" | "at most" | "at least"): ValidationRule {
  const fields = splitList(marker.text);
  if (fields.length === 0 || fields.some((field) => field.includes(".")))
    throw markerError(marker, "names members of this type, separated by commas");
  const verb = count === "at most" ? "may" : "must";
  const message = `${count} one of the fields in [${fields.join(" ")}] ${verb} be set`;
  if (count === "at least") return { rule: fields.map((field) => `has(self.${field})`).join("||"), message };
  const sum = fields.map((field) => `(has(self.${field})?1:0)`).join("+");
  return { rule: `${sum} ${count === "exactly" ? "==" : "<="} 1`, message };
}
