import { createNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import {
  nodeFromStructural,
  nodeFromStructuralSchema,
  type Structural,
} from "@coxswain/apimachinery/structural-schema";

interface Named {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * A custom resource as it is encoded: metadata is typed, everything else is any JSON with its members sorted. A wrong type
 * in it is a fault of validation, which upstream answers with 422, so decoding must let it pass.
 */
export const openNode = (named: Named, objectMeta: SchemaNode): SchemaNode =>
  nodeFromStructuralSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true }, { ...named, objectMeta });

/** The type that apply merges by. Without a schema nothing is known, and apply deduces types from values. */
export const applyNode = (schema: Structural | undefined, named: Named, objectMeta: SchemaNode): SchemaNode =>
  schema ? nodeFromStructural(schema, { ...named, objectMeta }) : openNode(named, objectMeta);

/** A custom resource as a body is decoded: metadata is read by itself afterwards, as upstream does (k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, schemaCoercingDecoder), so that errors name it. */
export function bodyNode(named: Named): SchemaNode {
  return openNode(named, createNode(typeCodes.json));
}
