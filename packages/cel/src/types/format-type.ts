import { type Type } from "./type.js";

/** A type as compile errors show it. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case "any":
      return "any";
    case "duration":
      return "duration";
    case "error":
      return "!error!";
    case "null":
      return "null";
    case "timestamp":
      return "timestamp";
    case "type_param":
      return type.name;
    default:
      if (type.parameters.length === 0) return declaredTypeName(type);
      return `${type.name}(${type.parameters.map(formatType).join(", ")})`;
  }
}

/** A type's name as declared: `wrapper(int)` for protobuf's Int64Value. */
export const declaredTypeName = (type: Type): string => (type.nullable ? `wrapper(${type.name})` : type.name);

/** The signature of a call, `(int, string)` or `string.(int)`. */
export function formatSignature(args: readonly Type[], isMember: boolean): string {
  const [target, ...rest] = args;
  if (!isMember || target === undefined) return `(${args.map(formatType).join(", ")})`;
  return `${formatType(target)}.(${rest.map(formatType).join(", ")})`;
}
