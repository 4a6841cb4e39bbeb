/** What Go's JSON decoder calls a value in "cannot unmarshal … into Go value of type …". */
export function goJsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
