import { goJson } from "@coxswain/apimachinery/field";
import { ownEntries } from "@coxswain/apimachinery/own";
import { Quantity } from "@coxswain/apimachinery/quantity";

/** As Go's json.Marshal writes a value of `internalForm`. */
export const compactJson = (value: unknown): string => write(value, undefined);

/** As Go's json.MarshalIndent does with one space. */
export const indentedJson = (value: unknown): string => write(value, "");

/** `indent` undefined: all in one line. */
function write(value: unknown, indent: string | undefined): string {
  if (value instanceof Quantity) return goJson(value.toString());
  if (typeof value !== "object" || value === null) return goJson(value);
  const deeper = indent === undefined ? undefined : `${indent} `;
  const colon = indent === undefined ? ":" : ": ";
  const list = Array.isArray(value);
  const parts = list
    ? value.map((item) => write(item, deeper))
    : ownEntries(value as Record<string, unknown>).map(
        ([name, member]) => goJson(name) + colon + write(member, deeper),
      );
  const [open, close] = list ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  if (indent === undefined) return open + parts.join(",") + close;
  return `${open}\n${parts.map((part) => `${deeper}${part}`).join(",\n")}\n${indent}${close}`;
}
