import { DecodeError } from "../json/index.js";

/**
 * Cuts a stream into its documents as kubectl does: at lines that begin with `---`. Empty documents are left out.
 * Throws DecodeError if something other than a comment follows the dashes.
 */
export function splitYamlDocuments(text: string): string[] {
  const documents: string[] = [];
  let current = "";
  for (const line of text.split(/(?<=\n)/)) {
    if (!line.startsWith("---")) {
      current += line;
      continue;
    }
    const rest = line.slice(3).trim();
    if (rest !== "" && !rest.startsWith("#")) throw new DecodeError(`invalid Yaml document separator: ${rest}`);
    if (current !== "") documents.push(current);
    current = "";
  }
  if (current !== "") documents.push(current);
  return documents;
}

/** The text up to the end of its first document: go-yaml reads no further, so nothing behind it can be wrong. */
export function firstYamlDocument(text: string): string {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm;
  let started = false;
  for (let match = marker.exec(text); match; match = marker.exec(text)) {
    const before = text.slice(0, match.index);
    if (started || hasContent(before)) return before;
    started = match[0] === "---";
  }
  return text;
}

/** Anything but blank lines, comments and directives. */
const hasContent = (text: string): boolean => /^(?![^\S\n\r\u2028\u2029]*(?:#|$)|%)/m.test(text);
