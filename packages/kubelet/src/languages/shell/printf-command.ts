import { pace, print, printAll, type ShellProcess } from "./shell-process.js";
import { pieceBytes } from "./streams.js";
import { unescape } from "./unescape.js";

/** A text that stands for itself, or a conversion of an argument. */
type FormatPart =
  | string
  | { readonly flags: string; readonly width: number; readonly precision: number | undefined; readonly kind: string };

const maxWidth = 1000;

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Math.min(Number(text), 100);

function partsOf(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  let at = 0;
  for (const { 0: all, 1: flags = "", 2: width = "", 3: precision, 4: kind = "", index } of format.matchAll(
    /%([-+ ]*)(\d*)(?:\.(\d*))?([sdiuxXofcb%])/g,
  )) {
    if (index > at) parts.push(format.slice(at, index));
    parts.push(
      kind === "%"
        ? "%"
        : {
            flags: width.startsWith("0") ? `${flags}0` : flags,
            width: Math.min(Number(width), maxWidth),
            precision: numberOf(precision),
            kind,
          },
    );
    at = index + all.length;
  }
  if (at < format.length) parts.push(format.slice(at));
  return parts;
}

function convert({ flags, width, precision, kind }: Exclude<FormatPart, string>, arg: string): string {
  const text = textOf(kind, precision, arg);
  const isNumber = !"scb".includes(kind);
  const sign = isNumber && !text.startsWith("-") ? (/[+ ]/.exec(flags)?.[0] ?? "") : "";
  if (flags.includes("-")) return (sign + text).padEnd(width);
  if (!isNumber || !flags.includes("0")) return (sign + text).padStart(width);
  const [, minus = "", digits = ""] = /^(-?)(.*)$/s.exec(text) ?? [];
  return sign + minus + digits.padStart(width - sign.length - minus.length, "0");
}

function textOf(kind: string, precision: number | undefined, arg: string): string {
  switch (kind) {
    case "s":
      return precision === undefined ? arg : arg.slice(0, precision);
    case "b":
      return unescape(arg);
    case "c":
      return arg.slice(0, 1);
    case "f":
      return Number(arg || 0).toFixed(precision ?? 6);
    case "x":
      return integerOf(arg).toString(16);
    case "X":
      return integerOf(arg).toString(16).toUpperCase();
    case "o":
      return integerOf(arg).toString(8);
    default:
      return String(integerOf(arg));
  }
}

/** Zero where it is none, as busybox goes on. */
const integerOf = (arg: string): number => Math.trunc(Number(arg || 0)) || 0;

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
