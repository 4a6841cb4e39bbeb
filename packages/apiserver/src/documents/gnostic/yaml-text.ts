/**
 * A JSON value as YAML. The protobuf forms of OpenAPI carry what they have no field for (extensions, enum values, defaults) as
 * YAML text; this writes it as upstream's library does (github.com/google/gnostic-models), but for texts of several lines, which it writes in quotes.
 */
export function yamlText(value: unknown): string {
  return isEmptyOrScalar(value) ? `${scalarText(value)}\n` : blockLines(value, 0).join("\n") + "\n";
}

const indentation = 4;

function isEmptyOrScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** The lines of a list or map whose first line stands at column `indent`. */
function blockLines(value: unknown, indent: number): string[] {
  const pad = " ".repeat(indent);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      if (isEmptyOrScalar(item)) return [`${pad}- ${scalarText(item)}`];
      // The first member stands on the line of the dash.
      const [first = "", ...rest] = blockLines(item, indent + 2);
      return [`${pad}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value as object).flatMap(([name, member]: [string, unknown]) => {
    const key = `${pad}${scalarText(name)}:`;
    if (isEmptyOrScalar(member)) return [`${key} ${scalarText(member)}`];
    return [key, ...blockLines(member, indentation * Math.floor((indent + indentation) / indentation))];
  });
}

/** What YAML takes for a line break, or does not take at all. */
const unprintable =
  /[^\x20-\x7e\u{a0}-\u{2027}\u{202a}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function scalarText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (value.search(unprintable) >= 0 || isOtherType(value)) return doubleQuoted(value);
  return isPlain(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whether YAML would take the bare text for something else than a text. */
function isOtherType(text: string): boolean {
  return (
    /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|)$/.test(text) ||
    /^[-+]?(0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)$/.test(text) ||
    /^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$/.test(text) ||
    /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/.test(text) ||
    /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}/.test(text)
  );
}

function isPlain(text: string): boolean {
  return !/^([-?:]( |$)|[#,[\]{}&*!|>'"%@`]|---|\.\.\.)/.test(text) && !/: |:$| #|^ | $/.test(text);
}
