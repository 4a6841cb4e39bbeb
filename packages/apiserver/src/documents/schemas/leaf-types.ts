import { type TypeCode, typeCodes } from "@coxswain/apimachinery/schema";
import type { OpenAPISchema } from "./openapi-schema.js";

export interface LeafType {
  /** OpenAPI name of a type that has a schema of its own; the others are written out in place. */
  readonly name: string;
  readonly v3: OpenAPISchema;
  /** Where it differs. */
  readonly v2?: OpenAPISchema;
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

/** Types whose JSON form is not that of their Go struct: each is a schema of its own, which others refer to. */
const leafTypes = new Map<TypeCode, LeafType>([
  [
    typeCodes.quantity,
    {
      name: "io.k8s.apimachinery.pkg.api.resource.Quantity",
      v3: { oneOf: [{ type: "string" }, { type: "number" }] },
      v2: { type: "string" },
    },
  ],
  [
    typeCodes.intOrString,
    {
      name: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
      v3: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
      v2: { type: "string", format: "int-or-string" },
    },
  ],
  [typeCodes.time, { name: `${meta}.Time`, v3: { type: "string", format: "date-time" } }],
  [typeCodes.microTime, { name: `${meta}.MicroTime`, v3: { type: "string", format: "date-time" } }],
  [typeCodes.duration, { name: `${meta}.Duration`, v3: { type: "string" } }],
  [typeCodes.fieldsV1, { name: `${meta}.FieldsV1`, v3: { type: "object" } }],
  [typeCodes.rawExtension, { name: "io.k8s.apimachinery.pkg.runtime.RawExtension", v3: { type: "object" } }],
  [typeCodes.json, { name: `${apiextensions}.JSON`, v3: {} }],
  [typeCodes.schemaOrBool, { name: `${apiextensions}.JSONSchemaPropsOrBool`, v3: {} }],
  [typeCodes.schemaOrArray, { name: `${apiextensions}.JSONSchemaPropsOrArray`, v3: {} }],
  [typeCodes.schemaOrStringArray, { name: `${apiextensions}.JSONSchemaPropsOrStringArray`, v3: {} }],
]);

/** The body of a PATCH: no Go type of the tables has its form. */
export const patchType: LeafType = { name: `${meta}.Patch`, v3: { type: "object" } };

export const leafTypeOf = (code: TypeCode): LeafType | undefined => leafTypes.get(code);

const byName = new Map([...leafTypes.values(), patchType].map((leaf) => [leaf.name, leaf]));

export const leafTypeNamed = (name: string): LeafType | undefined => byName.get(name);
