import type { DeepReadonly } from "@coxswain/api";
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  JSONSchemaProps,
  SelectableField,
} from "@coxswain/api/apiextensions/v1";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  isPrintable,
  namedText,
  required,
  tooMany,
} from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";
import type { VersionSpec } from "./hoisted-spec.js";
import { mostSelectableFields } from "./rules.js";
import { FieldPathError, findField } from "./schema/find-field.js";
import { structuralProblem } from "./schema/structural-problem.js";

const longestWarningBytes = 256;

export function checkDeprecation(
  { deprecated, deprecationWarning: warning }: VersionSpec,
  path: FieldPath,
): FieldError[] {
  if (warning === undefined) return [];
  if (!deprecated) return [invalid(path, namedText(warning), "can only be set for deprecated versions")];
  const problems: string[] = [];
  if (utf8Length(warning) > longestWarningBytes) problems.push("must be <= 256 characters long");
  if (warning === "") problems.push("must not be an empty string");
  const odd = [...warning].findIndex((char) => !isPrintable(char));
  if (odd >= 0)
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${utf8Length([...warning].slice(0, odd).join(""))}`,
    );
  return problems.map((problem) => invalid(path, namedText(warning), problem));
}

export function checkSubresources(
  subresources: DeepReadonly<CustomResourceSubresources> | undefined,
  path: FieldPath,
): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const selector = path.child("scale.labelSelectorPath");
  return [
    ...checkReplicas(scale.specReplicasPath, path.child("scale.specReplicasPath"), ".spec"),
    ...checkReplicas(scale.statusReplicasPath, path.child("scale.statusReplicasPath"), ".status"),
    ...(scale.labelSelectorPath
      ? checkPathUnder(
          scale.labelSelectorPath,
          selector,
          [".spec", ".status"],
          "should be a json path under either .spec or .status",
        )
      : []),
  ];
}

const checkReplicas = (text: string, path: FieldPath, place: string): FieldError[] =>
  text === "" ? [required(path)] : checkPathUnder(text, path, [place], `should be a json path under ${place}`);

function checkPathUnder(text: string, path: FieldPath, places: readonly string[], detail: string): FieldError[] {
  if (!text.startsWith(".")) return checkSimplePath(text, path);
  return places.some((place) => text.startsWith(`${place}.`)) ? [] : [invalid(path, text, detail)];
}

const checkSimplePath = (text: string, path: FieldPath): FieldError[] =>
  text.startsWith(".") ? [] : [invalid(path, text, "must be a simple json path starting with .")];

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

export const checkColumns = (
  columns: readonly DeepReadonly<CustomResourceColumnDefinition>[] | undefined,
  path: FieldPath,
): FieldError[] => (columns ?? []).flatMap((column, at) => checkColumn(column, path.index(at)));

function checkColumn(
  { name, type, format, jsonPath }: DeepReadonly<CustomResourceColumnDefinition>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const types = `must be one of ${columnTypes.join(",")}`;
  if (name === "") errors.push(required(path.child("name")));
  if (type === "") errors.push(required(path.child("type"), types));
  else if (!columnTypes.includes(type)) errors.push(invalid(path.child("type"), type, types));
  if (format && !columnFormats.includes(format))
    errors.push(invalid(path.child("format"), format, `must be one of ${columnFormats.join(",")}`));
  return [
    ...errors,
    ...(jsonPath === "" ? [required(path.child("JSONPath"))] : checkSimplePath(jsonPath, path.child("JSONPath"))),
  ];
}

export function checkSelectableFields(
  fields: readonly DeepReadonly<SelectableField>[],
  schema: DeepReadonly<JSONSchemaProps> | undefined,
  path: FieldPath,
  schemaPath: FieldPath,
  mayBeMany: boolean,
): FieldError[] {
  const problem = structuralProblem(schema);
  const errors = problem === undefined ? [] : [invalid(schemaPath, "", problem)];
  const found = new Set<string>();
  for (const [at, { jsonPath }] of fields.entries()) {
    const here = path.index(at).child("jsonPath");
    if (jsonPath === "") {
      errors.push(required(here));
      continue;
    }
    try {
      const field = findField(jsonPath, schema ?? {}, { brackets: false });
      if (field.root === "metadata") errors.push(invalid(here, jsonPath, "must not point to fields in metadata"));
      if (!["string", "boolean", "integer"].includes(field.schema.type ?? ""))
        errors.push(
          invalid(
            here,
            jsonPath,
            "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
          ),
        );
      if (found.has(field.path)) errors.push(duplicate(here, jsonPath));
      found.add(field.path);
    } catch (err) {
      if (!(err instanceof FieldPathError)) throw err;
      errors.push(invalid(here, jsonPath, `is an invalid path: ${err.message}`));
    }
  }
  if (found.size > mostSelectableFields && !mayBeMany) errors.push(tooMany(path, found.size, mostSelectableFields));
  return errors;
}
