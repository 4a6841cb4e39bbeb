import { quoteGo } from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";

const badForm = "invalid UUID format";
const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The error of Go's best-known UUID package for a text; undefined for one that it can read: plain, without dashes, in braces, or a URN. */
export function uuidProblem(text: string): string | undefined {
  switch (utf8Length(text)) {
    case 36:
      return dashed.test(text) ? undefined : badForm;
    case 45:
      if (text.slice(0, 9).toLowerCase() !== "urn:uuid:") return `invalid urn prefix: ${quoteGo(text.slice(0, 9))}`;
      return dashed.test(text.slice(9)) ? undefined : badForm;
    case 38:
      if (!text.startsWith("{") || !text.endsWith("}")) return "invalid bracketed UUID format";
      return dashed.test(text.slice(1, -1)) ? undefined : badForm;
    case 32:
      return /^[0-9a-f]{32}$/i.test(text) ? undefined : badForm;
    default:
      return `invalid UUID length: ${utf8Length(text)}`;
  }
}
