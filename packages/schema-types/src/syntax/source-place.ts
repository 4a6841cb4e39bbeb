/** A source file's path and text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A place in a source file, for error messages. */
export interface SourcePlace {
  readonly source: SourceText;
  /** Offset in UTF-16 units. */
  readonly offset: number;
}

/** What is wrong in a user's sources, as compilers print it: `api/v1/video.ts:12:3: …`. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly place: SourcePlace;

  constructor(place: SourcePlace, message: string) {
    const { line, column } = lineAndColumn(place);
    super(`${place.source.path}:${line}:${column}: ${message}`);
    this.place = place;
  }
}

/** Both count from one. */
export function lineAndColumn({ source, offset }: SourcePlace): { line: number; column: number } {
  const before = source.text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}
