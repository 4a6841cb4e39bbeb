import { ownEntries } from "../own/index.js";
import { emitScalar } from "./emit-scalar.js";
import { goFloat } from "./go-float.js";
import { compareKeys } from "./key-order.js";
import { isSimpleKey, scalarStyle } from "./scalar-style.js";
import { TextColumn } from "./text-column.js";

/** The YAML that sigs.k8s.io/yaml writes for plain JSON data: keys in order, lists not indented, long lines folded. */
export function stringifyYaml(value: unknown): string {
  const out = new TextColumn();
  if (isBlock(value)) emitBlock(out, value, 0);
  else emitInline(out, value, -2);
  if (!out.text.endsWith("\n")) out.newLine(0);
  return out.text;
}

type Block = Record<string, unknown> | readonly unknown[];

/** What takes lines of its own. */
function isBlock(value: unknown): value is Block {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some((member) => member !== undefined);
}

/** Writes a mapping or list whose first line begins where `out` is, which is at column `indent`. */
function emitBlock(out: TextColumn, block: Block, indent: number): void {
  if (Array.isArray(block)) {
    for (const [at, item] of block.entries()) {
      if (at > 0) lineAt(out, indent);
      emitItem(out, item, { indent, mark: "-" });
    }
    return;
  }
  const pairs = ownEntries(block as Record<string, unknown>).filter(([, value]) => value !== undefined);
  for (const [at, [key, value]] of pairs.sort(([a], [b]) => compareKeys(a, b)).entries()) {
    if (at > 0) lineAt(out, indent);
    emitPair(out, key, { value, indent });
  }
}

/** Begins a line; a literal block has ended its last line itself. */
function lineAt(out: TextColumn, indent: number): void {
  if (out.column === 0 && out.text.endsWith("\n")) out.pad(indent);
  else out.newLine(indent);
}

/** `- value` or `: value`: a mapping or list in it begins on the same line. */
function emitItem(out: TextColumn, value: unknown, { indent, mark }: { indent: number; mark: string }): void {
  out.put(`${mark} `);
  if (isBlock(value)) emitBlock(out, value, indent + 2);
  else emitInline(out, value, indent);
}

function emitPair(out: TextColumn, key: string, { value, indent }: { value: unknown; indent: number }): void {
  if (!isSimpleKey(key)) {
    out.put("? ");
    emitText(out, key, { indent, key: false });
    lineAt(out, indent);
    emitItem(out, value, { indent, mark: ":" });
    return;
  }
  emitText(out, key, { indent, key: true });
  out.put(":");
  if (isBlock(value)) {
    const inner = Array.isArray(value) ? indent : indent + 2;
    out.newLine(inner);
    emitBlock(out, value, inner);
  } else {
    out.put(" ");
    emitInline(out, value, indent);
  }
}

function emitText(out: TextColumn, text: string, { indent, key }: { indent: number; key: boolean }): void {
  emitScalar(out, text, { style: scalarStyle(text, key), indent: indent + 2, breaks: !key });
}

/** A scalar, or an empty mapping or list. `indent` is that of what it stands in. */
function emitInline(out: TextColumn, value: unknown, indent: number): void {
  switch (typeof value) {
    case "string":
      return emitText(out, value, { indent: Math.max(indent, 0), key: false });
    case "number":
      return out.put(Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? String(value) : goFloat(value, 64));
    case "object":
      return out.put(value === null ? "null" : Array.isArray(value) ? "[]" : "{}");
    default:
      return out.put(String(value ?? "null"));
  }
}
