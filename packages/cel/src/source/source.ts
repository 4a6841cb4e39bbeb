/** Where something stands in an expression. Columns count code points, as upstream's do (github.com/google/cel-go/common/source.go, OffsetLocation). */
export interface Location {
  /** From one on; -1 for what has no place. */
  readonly line: number;
  /** From zero on; -1 for what has no place. */
  readonly column: number;
}

export const noLocation: Location = { line: -1, column: -1 };

/** The text of an expression, with offsets (UTF-16 units) turned into lines and columns. */
export class Source {
  readonly text: string;
  readonly description: string;
  readonly #lineStarts: readonly number[];

  constructor(text: string, description = "<input>") {
    this.text = text;
    this.description = description;
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  location(offset: number): Location {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = this.#lineStarts[low] as number;
    return { line: low + 1, column: codePointLength(this.text.slice(start, offset)) };
  }

  /** The text of a line, or undefined where there is none to show. */
  line(number: number): string | undefined {
    const start = this.#lineStarts[number - 1];
    if (number < 1 || start === undefined || this.text === "") return undefined;
    const next = this.#lineStarts[number];
    return this.text.slice(start, next === undefined ? this.text.length : next - 1);
  }
}

/** The number of code points: what CEL's size() counts of a string. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    length--;
    index++;
  }
  return length;
}
