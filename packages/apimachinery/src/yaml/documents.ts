import { DecodeError } from "../json/index.js";

/** A document of a stream, and the line of the stream (from 1) where its text begins. */
export interface YamlDocument {
  readonly text: string;
  readonly line: number;
}

/**
 * Cuts a stream into its documents as kubectl does: at lines that begin with `---`. Empty documents are left out.
 * Throws DecodeError if something other than a comment follows the dashes.
 */
export function yamlDocuments(stream: string): YamlDocument[] {
  const documents: YamlDocument[] = [];
  let text = "";
  let line = 1;
  let next = 1;
  for (const piece of stream.split(/(?<=\n)/)) {
    next++;
    if (!piece.startsWith("---")) {
      text += piece;
      continue;
    }
    const rest = piece.slice(3).trim();
    if (rest !== "" && !rest.startsWith("#")) throw new DecodeError(`invalid Yaml document separator: ${rest}`);
    if (text !== "") documents.push({ text, line });
    text = "";
    line = next;
  }
  if (text !== "") documents.push({ text, line });
  return documents;
}

export const splitYamlDocuments = (stream: string): string[] => yamlDocuments(stream).map(({ text }) => text);

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
