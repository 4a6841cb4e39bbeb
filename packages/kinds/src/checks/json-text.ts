/** What Go's decoder says of a text that should be a JSON object; undefined when it is one (or null, which counts as empty). */
export function jsonObjectProblem(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return syntaxProblem(text);
  }
  if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
  return `json: cannot unmarshal ${goName(value)} into Go value of type map[string]interface {}`;
}

const goName = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value);

/** The two ways in which a text most often fails: it ends too early, or begins with something else. */
function syntaxProblem(text: string): string {
  const start = text.trimStart();
  if (start === "" || /^[[{"]/.test(start)) return "unexpected end of JSON input";
  const first = String.fromCodePoint(start.codePointAt(0) ?? 0);
  return `invalid character '${first}' looking for beginning of value`;
}
