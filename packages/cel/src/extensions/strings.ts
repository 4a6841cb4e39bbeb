import { utf8Length } from "@coxswain/apimachinery/text";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { codePointLength } from "../source/source.js";
import { dynType, intType, listType, stringType, type Type } from "../types/type.js";
import { ArrayList } from "../values/list-value.js";
import { showValue } from "../values/show-value.js";
import { CelError, type ListValue, type Value } from "../values/value.js";
import { indexOfCodePoints, lastIndexOfCodePoints, sliceCodePoints } from "./code-points.js";
import { formatString } from "./format.js";
import { validateFormatCalls } from "./format-validator.js";

type Implementation = NonNullable<Overload["implementation"]>;

/** A member of strings (or of the type `on`). */
const member = (id: string, args: readonly Type[], result: Type, implementation: Implementation): Overload => ({
  id,
  args,
  result,
  isMember: true,
  implementation,
});

const outOfRange = (index: Value): CelError => new CelError(`index out of range: ${index}`);

function charAt(text: string, index: number | bigint): Value {
  const length = codePointLength(text);
  if (index < 0 || index > length) return outOfRange(index);
  return sliceCodePoints(text, Number(index), Number(index) + 1);
}

function indexOf(text: string, part: string, offset: number | bigint): Value {
  if (part === "") return offset;
  if (offset < 0) return outOfRange(offset);
  return offset >= codePointLength(text) ? -1 : indexOfCodePoints(text, part, Number(offset));
}

function lastIndexOf(text: string, part: string, offset: number | bigint): Value {
  if (part === "") return offset;
  if (offset < 0) return outOfRange(offset);
  return offset >= codePointLength(text) ? -1 : lastIndexOfCodePoints(text, part, Number(offset));
}

function lastIndexOfAny(text: string, part: string): Value {
  if (part === "") return codePointLength(text);
  if (utf8Length(text) < utf8Length(part)) return -1;
  return lastIndexOf(text, part, codePointLength(text) - 1);
}

/** Go's strings.Replace: a negative count replaces all, and the empty string is found between code points. */
function replace(text: string, part: string, by: string, count: number | bigint): Value {
  if (count === 0 || part === by) return text;
  if (part !== "") return count < 0 ? text.replaceAll(part, () => by) : replaceFirst(text, part, { by, count });
  const points = [...text];
  const places = count < 0 ? points.length + 1 : Math.min(Number(count), points.length + 1);
  return (
    points.map((point, index) => (index < places ? by + point : point)).join("") + (places > points.length ? by : "")
  );
}

function replaceFirst(text: string, part: string, { by, count }: { by: string; count: number | bigint }): string {
  let out = "";
  let from = 0;
  for (let done = 0; done < count; done++) {
    const at = text.indexOf(part, from);
    if (at < 0) break;
    out += text.slice(from, at) + by;
    from = at + part.length;
  }
  return out + text.slice(from);
}

/** Go's strings.SplitN: a negative count splits everywhere, 0 gives nothing, and the last part keeps the rest. */
function split(text: string, separator: string, count: number | bigint): Value {
  if (count === 0) return new ArrayList([]);
  const parts = separator === "" ? [...text] : text.split(separator);
  if (count < 0 || parts.length <= count) return new ArrayList(parts);
  const kept = Number(count) - 1;
  return new ArrayList([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function substring(text: string, start: number | bigint, end?: number | bigint): Value {
  const length = codePointLength(text);
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > length) return outOfRange(start);
  if (end !== undefined && end > length) return outOfRange(end);
  return sliceCodePoints(text, Number(start), end === undefined ? undefined : Number(end));
}

/** Go's unicode.IsSpace. */
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text[start] as string)) start++;
  while (end > start && space.test(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

function join(list: ListValue, separator: string): Value {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const part = list.get(index);
    if (typeof part !== "string") return new CelError(`join: invalid input: ${showValue(part)}`);
    parts.push(part);
  }
  return parts.join(separator);
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

// Unlike Go's own quoting, other characters that do not print stay as they are.
const quote = (text: string): string => `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (char) => escapes[char] ?? char)}"`;

const asciiCase = (pattern: RegExp, change: (char: string) => string): Implementation => {
  return (text) => (text as string).replace(pattern, change);
};

const S = stringType;
const I = intType;
const listOfStrings = listType(stringType);

const functions: readonly FunctionDeclaration[] = [
  { name: "charAt", overloads: [member("string_char_at_int", [S, I], S, charAt as Implementation)] },
  {
    name: "indexOf",
    overloads: [
      member("string_index_of_string", [S, S], I, (text, part) => indexOf(text as string, part as string, 0)),
      member("string_index_of_string_int", [S, S, I], I, indexOf as Implementation),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      member("string_last_index_of_string", [S, S], I, lastIndexOfAny as Implementation),
      member("string_last_index_of_string_int", [S, S, I], I, lastIndexOf as Implementation),
    ],
  },
  {
    name: "lowerAscii",
    overloads: [
      member(
        "string_lower_ascii",
        [S],
        S,
        asciiCase(/[A-Z]+/g, (char) => char.toLowerCase()),
      ),
    ],
  },
  {
    name: "replace",
    overloads: [
      member("string_replace_string_string", [S, S, S], S, (text, part, by) =>
        replace(text as string, part as string, by as string, -1),
      ),
      member("string_replace_string_string_int", [S, S, S, I], S, replace as Implementation),
    ],
  },
  {
    name: "split",
    overloads: [
      member("string_split_string", [S, S], listOfStrings, (text, separator) =>
        split(text as string, separator as string, -1),
      ),
      member("string_split_string_int", [S, S, I], listOfStrings, split as Implementation),
    ],
  },
  {
    name: "substring",
    overloads: [
      member("string_substring_int", [S, I], S, substring as Implementation),
      member("string_substring_int_int", [S, I, I], S, substring as Implementation),
    ],
  },
  { name: "trim", overloads: [member("string_trim", [S], S, (text) => trim(text as string))] },
  {
    name: "upperAscii",
    overloads: [
      member(
        "string_upper_ascii",
        [S],
        S,
        asciiCase(/[a-z]+/g, (char) => char.toUpperCase()),
      ),
    ],
  },
  {
    name: "join",
    overloads: [
      member("list_join", [listOfStrings], S, (list) => join(list as ListValue, "")),
      member("list_join_string", [listOfStrings, S], S, join as Implementation),
    ],
  },
];

/** From version 1 on. */
const laterFunctions: readonly FunctionDeclaration[] = [
  {
    name: "format",
    overloads: [
      member("string_format", [S, listType(dynType)], S, (text, args) =>
        formatString(text as string, args as ListValue),
      ),
    ],
  },
  {
    name: "strings.quote",
    overloads: [{ id: "strings_quote", args: [S], result: S, implementation: (text) => quote(text as string) }],
  },
];

/** cel-go's string extension. Version 0 lacks `format` and `strings.quote`; Kubernetes has version 2. */
export const stringsLibrary = (version: 0 | 2): Library =>
  version === 0
    ? { name: "strings", functions }
    : {
        name: "strings",
        functions: [...functions, ...laterFunctions],
        validators: [validateFormatCalls],
      };
