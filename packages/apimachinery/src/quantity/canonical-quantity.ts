import { readQuantity } from "./parse-quantity.js";

/** The text that Go writes after reading `text`, or undefined if it is no quantity. Made for the decoder's hot path. */
export function canonicalQuantity(text: string): string | undefined {
  if (isCanonical(text)) return text;
  const read = readQuantity(text);
  return typeof read === "string" ? undefined : read.toString();
}

const zero = 0x30;
const nine = 0x39;

/** The common forms (`250m`, `2`, `512Mi`), which Go leaves as they are, without an allocation. A "no" decides nothing. */
function isCanonical(text: string): boolean {
  let at = 0;
  let value = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) break;
    value = value * 10 + (code - zero);
  }
  // Six digits leave room for every suffix below without rounding or a cap.
  if (at === 0 || at > 6 || text.charCodeAt(0) === zero) return text === "0";
  switch (text.length - at) {
    case 0:
      return value % 1000 !== 0;
    case 1:
      return value % 1000 !== 0 && "mkMGTPnu".includes(text.charAt(at));
    case 2:
      return value % 1024 !== 0 && text.charAt(at + 1) === "i" && "KMGT".includes(text.charAt(at));
    default:
      return false;
  }
}
