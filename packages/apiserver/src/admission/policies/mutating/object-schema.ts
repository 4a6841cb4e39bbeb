import { builtInTypes } from "@coxswain/api/tables";
import { formatGroupVersion, formatGroupVersionKind, type GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { serviceUnavailable } from "@coxswain/apimachinery/status";
import { formOf } from "../../../catalogue/version-kind.js";
import { typeNameOf } from "../../../documents/schemas/type-kinds.js";
import type { AdmissionAttributes } from "../../admission.js";
import type { EquivalentResources } from "../../matching/equivalent-resources.js";
import { kindOfView } from "../../matching/requested-resource.js";

/** By what objects of a request are merged in one version. @throws StatusError 503 for a kind without a schema */
export function objectSchema(
  attributes: AdmissionAttributes,
  wanted: GroupVersionKind,
  equivalents: EquivalentResources,
): SchemaNode {
  const { kind: own, subresource } = attributes;
  if (kindOfView(attributes)) {
    const name = typeNameOf(wanted);
    if (builtInTypes.has(name)) return builtInTypes.get(name);
  } else {
    const text = formatGroupVersionKind(wanted);
    const form = own.storedForm
      ? equivalents.of(own, subresource).find(({ kind }) => formatGroupVersionKind(kind) === text)?.definition
      : formOf(own, formatGroupVersion(wanted));
    if (form) return form.applySchema ?? form.schema;
  }
  throw serviceUnavailable(
    `Resource kind ${wanted.group}/${wanted.version}, Kind=${wanted.kind} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`,
  );
}
