import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { SchemaDocument } from "../../contract/messages.js";
import { resolve, schemaAt, typeText } from "./schema-path.js";
import { parentAt, scanYaml } from "./yaml-lines.js";

/** Offers the members that the server's schema has at the cursor, and values where it names them. */
export const completeBy =
  (schema: () => SchemaDocument | undefined) =>
  (context: CompletionContext): CompletionResult | null => {
    const document = schema();
    if (!document) return null;
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const value = /^(\s*(?:- )*)([\w./-]+):\s+(\S*)$/.exec(before);
    const scanned = scanYaml(context.state.doc.sliceString(0, line.from === 0 ? 0 : line.from - 1));
    const levels = scanned.at(-1)?.levels ?? [];
    if (value) {
      const [, indent = "", key = "", typed = ""] = value;
      const node = schemaAt(document, [...parentAt(levels, indent.length), key]);
      const options = node?.enum ?? (node?.type === "boolean" ? ["true", "false"] : []);
      return { from: context.pos - typed.length, options: options.map((option) => ({ label: String(option) })) };
    }
    const word = /^(\s*(?:- )*)([\w./-]*)$/.exec(before);
    if (!word || (word[2] === "" && !context.explicit)) return null;
    const [, indent = "", typed = ""] = word;
    const parent = parentAt(levels, indent.includes("-") ? indent.length - 1 : indent.length);
    const isItem = indent.includes("-") && typeof parent.at(-1) !== "number";
    const node = schemaAt(document, isItem ? [...parent, 0] : parent);
    if (!node?.properties) return null;
    const options = Object.entries(node.properties).map(([name, member]): Completion => {
      const shape = resolve(document, member) ?? member;
      return {
        label: name,
        detail: typeText(shape),
        apply: shape.type === "object" || shape.type === "array" ? `${name}:` : `${name}: `,
        boost: node.required?.includes(name) ? 1 : 0,
        ...(member.description !== undefined && { info: member.description }),
      };
    });
    return { from: context.pos - typed.length, options, validFor: /^[\w./-]*$/ };
  };
