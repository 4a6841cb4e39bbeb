import { pace, print, printAll, type ShellProcess } from "./shell-process.js";
import { pieceBytes } from "./streams.js";
import { unescape } from "./unescape.js";

/** A text that stands for itself, or a conversion of an argument. */
type FormatPart = string | { readonly width: string; readonly kind: string };

function partsOf(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  let at = 0;
  for (const { 0: all, 1: width = "", 2: kind = "", index } of format.matchAll(/%(-?\d*)([sdiuxc%])/g)) {
    if (index > at) parts.push(format.slice(at, index));
    parts.push(kind === "%" ? "%" : { width, kind });
    at = index + all.length;
  }
  if (at < format.length) parts.push(format.slice(at));
  return parts;
}

const maxWidth = 1000;

function convert({ width, kind }: Exclude<FormatPart, string>, arg: string): string {
  const number = (): string => Number(arg || 0).toString(kind === "x" ? 16 : 10);
  const shown = kind === "s" ? arg : kind === "c" ? arg.slice(0, 1) : number();
  const length = Math.min(Math.abs(Number(width)), maxWidth);
  return width.startsWith("-") ? shown.padEnd(length) : shown.padStart(length);
}

/** `printf`: the format is used again while arguments are left. */
export async function printf([format = "", ...args]: readonly string[], process: ShellProcess): Promise<number> {
  process.budget.check(format.length * 32);
  const parts = partsOf(unescape(format));
  // Without a conversion, arguments that are left stay unused.
  const last = parts.some((part) => typeof part !== "string") ? args.length : 0;
  let next = 0;
  let text = "";
  do {
    for (const part of parts) {
      text += typeof part === "string" ? part : convert(part, args[next++] ?? "");
      if (text.length < pieceBytes) continue;
      await printAll(process, text);
      text = "";
      await pace(process);
    }
  } while (next < last);
  print(process, text);
  return 0;
}
