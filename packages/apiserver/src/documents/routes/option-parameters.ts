import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { TypeSource } from "../schemas/collect-schemas.js";
import type { Describe } from "../schemas/openapi-schema.js";
import { parameterWords } from "./parameter-words.js";
import type { RouteParameter } from "./route.js";

/** The query parameters that requests take, by the options kind they belong to. Each is made once, so a parameter is known by identity. */
export interface ParameterSource {
  /** OpenAPI name of the kind, without those parameters that are excepted. */
  optionsOf(typeName: string, except?: readonly string[]): readonly RouteParameter[];
}

export function createParameterSource(types: TypeSource, describe: Describe): ParameterSource {
  const made = new Map<string, RouteParameter[]>();
  return {
    optionsOf(typeName, except = []) {
      let parameters = made.get(typeName);
      if (!parameters) made.set(typeName, (parameters = optionParameters(typeName, types, describe)));
      return except.length === 0 ? parameters : parameters.filter(({ name }) => !except.includes(name));
    },
  };
}

/** Scalars, and lists of them as one scalar. Structs and times have no place in a query, and kind and apiVersion are not asked for. */
function optionParameters(typeName: string, types: TypeSource, describe: Describe): RouteParameter[] {
  return types
    .get(typeName)
    .fields.filter((field) => field.name !== "kind" && field.name !== "apiVersion")
    .flatMap((field) => {
      const type = queryType(field.type);
      return type
        ? [
            {
              name: field.name,
              in: "query" as const,
              type,
              description: describe(typeName, field.name) ?? parameterWords(field.name),
            },
          ]
        : [];
    });
}

function queryType(type: SchemaNode): RouteParameter["type"] | undefined {
  switch (type.code) {
    case typeCodes.string:
      return "string";
    case typeCodes.bool:
      return "boolean";
    case typeCodes.int32:
    case typeCodes.int64:
      return "integer";
    case typeCodes.list:
      return type.element && queryType(type.element);
    default:
      return undefined;
  }
}
