import type { DeepReadonly } from "@coxswain/api";
import type { ValidationRule } from "@coxswain/api/apiextensions/v1";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import type { VersionSpec } from "../hoisted-spec.js";
import { additionalOf, itemsOf, listOfItems, type Schema } from "./schema-walk.js";

/** Members in the order of Go's type, with its names and what stands for an absent one. */
const members = [
  ["id", "ID", ""],
  ["$schema", "Schema", ""],
  ["$ref", "Ref", null],
  ["description", "Description", ""],
  ["type", "Type", ""],
  ["nullable", "Nullable", false],
  ["format", "Format", ""],
  ["title", "Title", ""],
  ["default", "Default", null],
  ["maximum", "Maximum", null],
  ["exclusiveMaximum", "ExclusiveMaximum", false],
  ["minimum", "Minimum", null],
  ["exclusiveMinimum", "ExclusiveMinimum", false],
  ["maxLength", "MaxLength", null],
  ["minLength", "MinLength", null],
  ["pattern", "Pattern", ""],
  ["maxItems", "MaxItems", null],
  ["minItems", "MinItems", null],
  ["uniqueItems", "UniqueItems", false],
  ["multipleOf", "MultipleOf", null],
  ["enum", "Enum", null],
  ["maxProperties", "MaxProperties", null],
  ["minProperties", "MinProperties", null],
  ["required", "Required", null],
  ["items", "Items", null],
  ["allOf", "AllOf", null],
  ["oneOf", "OneOf", null],
  ["anyOf", "AnyOf", null],
  ["not", "Not", null],
  ["properties", "Properties", null],
  ["additionalProperties", "AdditionalProperties", null],
  ["patternProperties", "PatternProperties", null],
  ["dependencies", "Dependencies", null],
  ["additionalItems", "AdditionalItems", null],
  ["definitions", "Definitions", null],
  ["externalDocs", "ExternalDocs", null],
  ["example", "Example", null],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields", null],
  ["x-kubernetes-embedded-resource", "XEmbeddedResource", false],
  ["x-kubernetes-int-or-string", "XIntOrString", false],
  ["x-kubernetes-list-map-keys", "XListMapKeys", null],
  ["x-kubernetes-list-type", "XListType", null],
  ["x-kubernetes-map-type", "XMapType", null],
  ["x-kubernetes-validations", "XValidations", null],
] as const;

export const goNames = members.map(([member, goName]) => [member, goName] as const);

/** A schema as Go prints its own form. */
export const printedSchema = (schema: Schema): unknown =>
  Object.fromEntries(
    members.map(([member, goName, absent]) => [
      goName,
      schema[member] !== undefined
        ? printedMember(schema, member)
        : wasGivenEmpty(schema, member)
          ? printedEmpty(member)
          : absent,
    ]),
  );

const maps = new Set(["properties", "patternProperties", "dependencies", "definitions"]);
const printedEmpty = (member: string): unknown => (maps.has(member) ? {} : []);

function printedMember(schema: Schema, member: keyof Schema): unknown {
  switch (member) {
    case "items":
      return printedItems(schema);
    case "additionalProperties":
      return printedOrBool(schema.additionalProperties, additionalOf(schema));
    case "additionalItems":
      return printedOrBool(
        schema.additionalItems,
        typeof schema.additionalItems === "object" ? (schema.additionalItems as Schema) : undefined,
      );
    case "allOf":
    case "anyOf":
    case "oneOf":
      return (schema[member] ?? []).map(printedSchema);
    case "not":
      return schema.not && printedSchema(schema.not);
    case "properties":
    case "patternProperties":
    case "definitions":
      return Object.fromEntries(
        Object.entries(schema[member] ?? {}).map(([name, inner]) => [name, printedSchema(inner)]),
      );
    case "dependencies":
      return Object.fromEntries(
        Object.entries(schema.dependencies ?? {}).map(([name, one]) => [
          name,
          Array.isArray(one)
            ? { Schema: null, Property: one as unknown }
            : { Schema: printedSchema(one as Schema), Property: null },
        ]),
      );
    case "externalDocs":
      return { Description: schema.externalDocs?.description ?? "", URL: schema.externalDocs?.url ?? "" };
    case "x-kubernetes-validations":
      return (schema[member] ?? []).map(printedRule);
    default:
      return schema[member];
  }
}

export function printedItems(schema: Schema): unknown {
  const items = itemsOf(schema);
  return {
    Schema: items ? printedSchema(items) : null,
    JSONSchemas: items ? null : listOfItems(schema).map(printedSchema),
  };
}

const printedOrBool = (given: unknown, schema: Schema | undefined): unknown => ({
  Allows: given !== false,
  Schema: schema ? printedSchema(schema) : null,
});

/** A rule as Go prints its own form. */
export const printedRule = ({
  rule,
  message = "",
  messageExpression = "",
  reason,
  fieldPath = "",
  optionalOldSelf,
}: DeepReadonly<ValidationRule>): unknown => ({
  Rule: rule,
  Message: message,
  MessageExpression: messageExpression,
  Reason: reason ?? null,
  FieldPath: fieldPath,
  OptionalOldSelf: optionalOldSelf ?? null,
});

export const printedVersions = (versions: readonly VersionSpec[]): unknown =>
  versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema
      ? { OpenAPIV3Schema: version.schema.openAPIV3Schema ? printedSchema(version.schema.openAPIV3Schema) : null }
      : null,
    Subresources: version.subresources ? printedSubresources(version.subresources) : null,
    AdditionalPrinterColumns:
      version.additionalPrinterColumns?.map(
        ({ name, type, format = "", description = "", priority = 0, jsonPath }) => ({
          Name: name,
          Type: type,
          Format: format,
          Description: description,
          Priority: priority,
          JSONPath: jsonPath,
        }),
      ) ?? null,
    SelectableFields: version.selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath })) ?? null,
  }));

const printedSubresources = ({ status, scale }: NonNullable<VersionSpec["subresources"]>): unknown => ({
  Status: status ? {} : null,
  Scale: scale
    ? {
        SpecReplicasPath: scale.specReplicasPath,
        StatusReplicasPath: scale.statusReplicasPath,
        LabelSelectorPath: scale.labelSelectorPath ?? null,
      }
    : null,
});
