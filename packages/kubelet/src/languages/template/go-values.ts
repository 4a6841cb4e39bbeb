/**
 * Values as templates see them: JSON, with `undefined` for what is missing. Go's templates read a missing member of a missing
 * member as missing, and refuse to read a member of a null.
 */
export type GoValue = unknown;

export const isMap = (value: GoValue): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Go's truth: neither zero nor empty. */
export function isTrue(value: GoValue): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : true;
}

/** As fmt.Print writes a value. */
export function formatValue(value: GoValue, absent = "<nil>"): string {
  if (value === undefined || value === null) return absent;
  if (Array.isArray(value)) return `[${value.map((each) => formatValue(each)).join(" ")}]`;
  if (isMap(value))
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${formatValue(value[key])}`)
      .join(" ")}]`;
  return String(value as string | number | boolean);
}

export const sortedKeys = (map: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(map).sort((a, b) => (a < b ? -1 : 1));

/** As fmt.Sprintf does, for the verbs %s, %v, %d, %q, %t, %f and %%. @throws Error for others */
export function formatText(format: string, args: readonly GoValue[]): string {
  let next = 0;
  const text = format.replace(/%(.)/gsu, (_, verb: string) => {
    if (verb === "%") return "%";
    if (next >= args.length) return `%!${verb}(MISSING)`;
    const value = args[next++];
    if (verb === "s" || verb === "v" || verb === "d" || verb === "t") return formatValue(value);
    if (verb === "q") return JSON.stringify(formatValue(value));
    if (verb === "f") return Number(value).toFixed(6);
    throw new Error(`printf: the verb %${verb} is not supported`);
  });
  if (next >= args.length) return text;
  return `${text}%!(EXTRA ${args
    .slice(next)
    .map((value) => `${typeOf(value)}=${formatValue(value)}`)
    .join(", ")})`;
}

/** Go's name of a value's type, for messages. */
export function typeOf(value: GoValue): string {
  if (value === undefined || value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}

/** Characters of a text that a function makes of others; more than any status has. */
const maxText = 256 * 1024;

/** @throws Error where a text would become too long to be made */
export function checkLength(length: number): void {
  if (length > maxText) throw new Error(`the text is longer than ${maxText} characters`);
}
