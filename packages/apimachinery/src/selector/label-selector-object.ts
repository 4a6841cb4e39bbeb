import { quoteGo } from "../field/index.js";
import { ownEntries, setOwn } from "../own/index.js";
import { everything, nothing, type Selector, selectorOf } from "./label-selector.js";
import { parseLabelSelector } from "./parse-label-selector.js";
import { createRequirement, type LabelOperator, type LabelRequirement } from "./requirement.js";
import { SelectorError } from "./selector-error.js";

/** metav1.LabelSelector: a selector as a field of an object. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  values?: string[];
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** Arrays may be readonly: objects of the cache are. */
export interface ReadableLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
    | undefined;
}

/**
 * The selector of an object's field. None at all selects nothing, an empty one everything.
 * @throws SelectorError
 */
export function labelSelectorFromObject(object: ReadableLabelSelector | null | undefined): Selector {
  if (object === undefined || object === null) return nothing;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of ownEntries(object.matchLabels)) requirements.push(createRequirement(key, "=", [value]));
  for (const { key, operator, values } of object.matchExpressions ?? []) {
    const known = operators.get(operator);
    if (known === undefined) throw new SelectorError(`${quoteGo(operator)} is not a valid label selector operator`);
    requirements.push(createRequirement(key, known, values ?? []));
  }
  return selectorOf(requirements);
}

/** The selector that asks for exactly these labels; nothing is checked. None at all selects everything. */
export const selectorFromLabels = (labels: Readonly<Record<string, string>> | undefined): Selector =>
  labels === undefined
    ? everything
    : selectorOf(ownEntries(labels).map(([key, value]) => ({ key, operator: "=", values: [value] })));

/** The object's form of a text. Comparisons and `!=` have none. */
export function labelSelectorObject(text: string): LabelSelector {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const { key, operator, values } of parseForObject(text)) {
    switch (operator) {
      case "=":
      case "==":
        setOwn(matchLabels, key, values[0] ?? "");
        break;
      case "in":
        matchExpressions.push({ key, operator: "In", values: [...values] });
        break;
      case "notin":
        matchExpressions.push({ key, operator: "NotIn", values: [...values] });
        break;
      case "exists":
        matchExpressions.push({ key, operator: "Exists", values: [] });
        break;
      case "!":
        matchExpressions.push({ key, operator: "DoesNotExist", values: [] });
        break;
      case "!=":
        throw new SelectorError(`${quoteGo(operator)} is not a valid label selector operator`);
      case "gt":
      case "lt":
        throw new SelectorError(`${quoteGo(operator)} isn't supported in label selectors`);
    }
  }
  return { matchLabels, matchExpressions };
}

function parseForObject(text: string): readonly LabelRequirement[] {
  try {
    return parseLabelSelector(text).requirements;
  } catch (error) {
    if (error instanceof SelectorError)
      throw new SelectorError(`couldn't parse the selector string "${text}": ${error.message}`);
    throw error;
  }
}
