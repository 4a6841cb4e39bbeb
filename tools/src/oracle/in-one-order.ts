import type { Json, JsonObject } from "../record/index.js";

/**
 * A definition, or a list of them, with its conditions sorted. Upstream has a controller for each condition (apiextensions-apiserver,
 * pkg/controller/{status,establish,apiapproval,nonstructuralschema}), and each appends its own when it gets to it.
 */
export function withConditionsInOrder(body: Json | undefined): Json | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { kind, items } = body as JsonObject;
  if (kind === "CustomResourceDefinition") return sortConditions(body as JsonObject);
  return kind === "CustomResourceDefinitionList" && Array.isArray(items)
    ? { ...(body as JsonObject), items: items.map((item) => sortConditions(item as JsonObject)) }
    : body;
}

function sortConditions(definition: JsonObject): JsonObject {
  const status = definition["status"] as JsonObject | undefined;
  const conditions = status?.["conditions"];
  return Array.isArray(conditions)
    ? { ...definition, status: { ...status, conditions: sorted(conditions) } }
    : definition;
}

/** Also what upstream's validators of custom resources report, which go through Go maps. */
export function inOneOrder(body: Json | undefined): Json | undefined {
  const { kind, details, message } = (body ?? {}) as JsonObject;
  if (kind !== "Status") return withConditionsInOrder(body);
  const causes = (details as JsonObject | undefined)?.["causes"];
  if (!Array.isArray(causes) || causes.length < 2) return body;
  return {
    ...(body as JsonObject),
    details: { ...(details as JsonObject), causes: sorted(causes) },
    message: String(message).slice(0, String(message).indexOf(": [") + 1), // the rest repeats the causes
  };
}

const sorted = (list: readonly Json[]): Json[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
