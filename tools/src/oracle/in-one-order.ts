import type { Json, JsonObject } from "../record/index.js";

/** Upstream's controllers write the conditions of a definition in the order in which they get to it, and its validators go through Go maps. */
export function inOneOrder(body: Json | undefined): Json | undefined {
  const { kind, status, details, message } = (body ?? {}) as JsonObject;
  const conditions = (status as JsonObject | undefined)?.["conditions"];
  if (kind === "CustomResourceDefinition" && Array.isArray(conditions))
    return { ...(body as JsonObject), status: { ...(status as JsonObject), conditions: sorted(conditions) } };
  const causes = (details as JsonObject | undefined)?.["causes"];
  if (kind !== "Status" || !Array.isArray(causes) || causes.length < 2) return body;
  return {
    ...(body as JsonObject),
    details: { ...(details as JsonObject), causes: sorted(causes) },
    message: String(message).slice(0, String(message).indexOf(": [") + 1), // the rest repeats the causes
  };
}

const sorted = (list: readonly Json[]): Json[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
