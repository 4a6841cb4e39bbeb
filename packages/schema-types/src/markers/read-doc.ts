import type { DocComment } from "../syntax/scan.js";
import { SourceError, type SourcePlace, type SourceText } from "../syntax/source-place.js";

/** One JSDoc tag: `@minimum 1` has the name "minimum" and the text "1". */
export interface Marker {
  readonly name: string;
  /** Everything up to the next tag, trimmed. */
  readonly text: string;
  readonly place: SourcePlace;
}

export interface Doc {
  /** What stands before the first tag. */
  readonly description: string;
  readonly markers: readonly Marker[];
}

export const emptyDoc: Doc = { description: "", markers: [] };

/** Tags of JSDoc and TSDoc that document and nothing more. */
const documentation = new Set(
  (
    "deprecated see remarks since internal public alpha beta experimental author todo throws param returns " +
    "typeParam template link packageDocumentation privateRemarks readonly file license summary"
  ).split(" "),
);

/** Splits a JSDoc comment into description and markers. A tag begins a line, or follows another one on it. */
export function readDoc(source: SourceText, comment: DocComment | undefined): Doc {
  if (comment === undefined) return emptyDoc;
  const place: SourcePlace = { source, offset: comment.offset };
  const description: string[] = [];
  const markers: { name: string; lines: string[] }[] = [];
  for (const line of comment.text.split("\n")) {
    const tag = /^@([A-Za-z][\w.]*)(?:$|\s+)/.exec(line);
    if (tag) markers.push({ name: tag[1]!, lines: [line.slice(tag[0].length)] });
    else (markers.at(-1)?.lines ?? description).push(line);
  }
  return {
    description: description.join("\n").trim(),
    markers: markers
      .filter(({ name }) => !documentation.has(name))
      .map(({ name, lines }) => ({ name, text: lines.join("\n").trim(), place })),
  };
}

/** The error of a marker, at its comment. */
export const markerError = (marker: Marker, message: string): SourceError =>
  new SourceError(marker.place, `@${marker.name}: ${message}`);
