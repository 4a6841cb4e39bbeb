/** `code="200",verb="GET"`: sorted by name, values escaped as the text format asks. */
export function labelText(names: readonly string[], values: readonly string[]): string {
  return names
    .map((name, at) => `${name}="${escapeValue(values[at] ?? "")}"`)
    .sort()
    .join(",");
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

const escapeValue = (value: string): string =>
  value.replace(/[\\"\n]/g, (character) => escapes[character] ?? character);
