import { dynType, listType, mapType, type Type } from "../types/type.js";

/** The type of `variables`, whose fields are the variables declared so far. */
export const variablesTypeName = "kubernetes.variables";

const simpleKinds: ReadonlySet<string> = new Set(
  "any bool bytes double duration int null string timestamp uint".split(" "),
);

/** The type of a variable as others see it: simple ones, and lists and maps of them; objects are dyn. */
export function variableType(type: Type | undefined): Type {
  if (type === undefined || type.nullable) return dynType;
  if (simpleKinds.has(type.kind)) return type;
  const [first, second] = type.parameters;
  if (type.kind === "list") return listType(variableType(first));
  return type.kind === "map" ? mapType(variableType(first), variableType(second)) : dynType;
}
