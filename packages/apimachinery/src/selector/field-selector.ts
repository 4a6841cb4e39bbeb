import { getOwn, type UserMap } from "../own/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { SelectorError } from "./selector-error.js";
import { checkLength, checkRequirementCount } from "./selector-limits.js";

/** The selectable fields of an object, by their path; a missing one is the empty text. */
export type Fields = UserMap<string> | Readonly<Record<string, string>>;

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A compiled field selector. Immutable: compile once, match many. */
export interface FieldSelector {
  matches(fields: Fields): boolean;
  readonly empty: boolean;
  /** All of them must hold. */
  readonly requirements: readonly FieldRequirement[];
  /** The one value that the field must have, where the selector asks for one. */
  requiresExactMatch(field: string): string | undefined;
  /**
   * The selector with each requirement renamed, as served versions are renamed to the hub's.
   * A requirement whose new field and value are both empty is left out.
   */
  transform(
    rename: (requirement: FieldRequirement) => { readonly field: string; readonly value: string },
  ): FieldSelector;
  /** A text that parses to the same selector. */
  toString(): string;
}

class RequirementsFieldSelector implements FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  matches(fields: Fields): boolean {
    for (const { field, operator, value } of this.requirements) {
      if (((getOwn(fields, field) ?? "") === value) !== (operator === "=")) return false;
    }
    return true;
  }

  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
  }

  transform(
    rename: (requirement: FieldRequirement) => { readonly field: string; readonly value: string },
  ): FieldSelector {
    const renamed = this.requirements.map((requirement) => ({
      operator: requirement.operator,
      ...rename(requirement),
    }));
    return new RequirementsFieldSelector(renamed.filter(({ field, value }) => field !== "" || value !== ""));
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(",");
  }
}

/** Matches every object. */
export const everyField: FieldSelector = new RequirementsFieldSelector([]);

export const fieldSelectorOf = (requirements: readonly FieldRequirement[]): FieldSelector =>
  new RequirementsFieldSelector(requirements);

/**
 * A field selector as users write it: `metadata.name=web,status.phase!=Running`. The empty text selects everything.
 * @throws SelectorError with upstream's words
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === "") return everyField;
  checkLength(text);
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareUtf8)) {
    if (term === "") continue;
    const [whole, field = "", operator = "", value = ""] = termPattern.exec(term) ?? [];
    if (whole === undefined) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    // A term without field and value asks for nothing, and upstream drops it.
    const unescaped = unescapeFieldValue(value);
    if (field !== "" || unescaped !== "")
      requirements.push({ field, operator: operator === "!=" ? "!=" : "=", value: unescaped });
    checkRequirementCount(requirements.length);
  }
  return fieldSelectorOf(requirements);
}

/** The first operator splits a term; fields cannot be escaped. */
const termPattern = /^([^]*?)(!=|==|=)([^]*)$/;

/** Commas split terms unless a backslash stands before them. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === ",") {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** A value in which backslash, comma and equals sign stand for themselves. */
export const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, "\\$&");

/** Undoes `escapeFieldValue`. @throws SelectorError */
export function unescapeFieldValue(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  let out = "";
  let escaped = false;
  for (const char of value) {
    const special = char === "\\" || char === "," || char === "=";
    if (escaped && !special) throw new SelectorError(`invalid field selector: invalid escape sequence: \\${char}`);
    if (!escaped && char === "\\") {
      escaped = true;
      continue;
    }
    // Upstream prints the character's number, not the character.
    if (!escaped && special)
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.codePointAt(0)}`);
    out += char;
    escaped = false;
  }
  if (escaped) throw new SelectorError("invalid field selector: invalid escape sequence: \\");
  return out;
}
