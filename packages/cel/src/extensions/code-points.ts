import { codePointLength } from "../source/source.js";

/** Positions in strings: expressions count code points, JavaScript UTF-16 units. */

/** Whether both ways of counting agree. */
const isPlain = (text: string): boolean => !/[\ud800-\udfff]/.test(text);

/** The part between two positions, which are within the string. */
export function sliceCodePoints(text: string, start: number, end?: number): string {
  if (isPlain(text)) return text.slice(start, end);
  return [...text].slice(start, end).join("");
}

/** Where `part` first occurs at or behind `from`, or -1. */
export function indexOfCodePoints(text: string, part: string, from: number): number {
  if (isPlain(text)) return text.indexOf(part, from);
  const points = [...text];
  const unit = points.slice(0, from).join("").length;
  const at = text.indexOf(part, unit);
  return at < 0 ? -1 : codePointLength(text.slice(0, at));
}

/** Where `part` last begins at or before `from`, or -1. */
export function lastIndexOfCodePoints(text: string, part: string, from: number): number {
  if (isPlain(text)) return text.lastIndexOf(part, from);
  const unit = [...text].slice(0, from).join("").length;
  const at = text.lastIndexOf(part, unit);
  return at < 0 ? -1 : codePointLength(text.slice(0, at));
}
