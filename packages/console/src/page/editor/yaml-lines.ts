/** Where a line of block YAML stands in its document: names of members, and numbers of items. */
export type LinePath = readonly (string | number)[];

interface Level {
  readonly column: number;
  readonly step: string | number;
}

/** What a scan knows after each line. Flow style on one line is a value like any other. */
export interface ScannedLine {
  readonly path: LinePath;
  readonly levels: readonly Level[];
}

const keyPattern = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:'"[\]{},&*!|>%@`-][^:#]*|-[^\s:][^:]*):(?:\s|$)/;

/** Pure: the path of each line. Blank lines and comments have the path of the line before. */
export function scanYaml(text: string): ScannedLine[] {
  const scanned: ScannedLine[] = [];
  let levels: Level[] = [];
  /** Inside a block scalar: lines further right than this belong to it. */
  let scalarColumn: number | undefined;
  for (const line of text.split("\n")) {
    const column = line.length - line.trimStart().length;
    const isText = line.trim() === "" || line.trimStart().startsWith("#") || line.startsWith("---");
    if (scalarColumn !== undefined && (line.trim() === "" || column > scalarColumn)) {
      scanned.push({ path: pathOf(levels), levels });
      continue;
    }
    scalarColumn = undefined;
    if (!isText) {
      levels = levelsAfter(line, column, levels);
      if (/[:-]\s+[|>][-+\d]*\s*$/.test(line)) scalarColumn = levels.at(-1)?.column ?? column;
    }
    scanned.push({ path: pathOf(levels), levels });
  }
  return scanned;
}

const pathOf = (levels: readonly Level[]): LinePath => levels.map(({ step }) => step);

function levelsAfter(line: string, indent: number, before: readonly Level[]): Level[] {
  const levels = [...before];
  let column = indent;
  let rest = line.slice(indent);
  while (/^-(?:\s|$)/.test(rest)) {
    let index = 0;
    for (
      let top = levels.at(-1);
      top && (top.column > column || (top.column === column && typeof top.step === "number"));
      top = levels.at(-1)
    ) {
      if (top.column === column && typeof top.step === "number") index = top.step + 1;
      levels.pop();
    }
    levels.push({ column, step: index });
    const inner = rest.slice(1);
    const blanks = inner.length - inner.trimStart().length;
    column += 1 + blanks;
    rest = inner.trimStart();
  }
  const key = keyPattern.exec(rest)?.[1];
  if (key === undefined) return levels;
  while ((levels.at(-1)?.column ?? -1) >= column) levels.pop();
  levels.push({ column, step: unquoted(key) });
  return levels;
}

/** Pure: the path of the mapping that a key at this column would be a member of, below a line that was scanned. */
export function parentAt(levels: readonly Level[], column: number): LinePath {
  const kept = [...levels];
  while ((kept.at(-1)?.column ?? -1) >= column) kept.pop();
  return pathOf(kept);
}

/** Pure: the line of a field as the server names it (`spec.containers[0].image`), or of the nearest member above it; from 0. */
export function lineOfField(scanned: readonly ScannedLine[], field: string): number {
  const wanted = stepsOf(field);
  for (let length = wanted.length; length > 0; length--) {
    // The first line at or below it: an item of a list has no line of its own.
    const at = scanned.findIndex(({ path }) =>
      wanted.slice(0, length).every((step, index) => index < path.length && String(path[index]) === step),
    );
    if (at >= 0) return at;
  }
  return 0;
}

/** `spec.containers[0].image` as its parts. Keys of maps stand in brackets too, and may have dots. */
function stepsOf(field: string): string[] {
  const steps: string[] = [];
  for (const [at, part] of field.split("[").entries()) {
    const end = at === 0 ? -1 : part.indexOf("]");
    if (end >= 0) steps.push(part.slice(0, end));
    for (const name of part.slice(end + 1).split(".")) if (name !== "") steps.push(name);
  }
  return steps;
}

const unquoted = (key: string): string => (key.startsWith('"') || key.startsWith("'") ? key.slice(1, -1) : key);
