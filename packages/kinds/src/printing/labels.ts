import { ownEntries } from "@coxswain/apimachinery/own";
import { labelSelectorFromObject, SelectorError } from "@coxswain/apimachinery/selector";
import { compareUtf8 } from "@coxswain/apimachinery/validation";

export const none = "<none>";

/** Labels as `a=b,c=d`, sorted. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = ownEntries(labels).sort(([a], [b]) => compareUtf8(a, b));
  return pairs.map(([key, value]) => `${key}=${value}`).join(",") || none;
}

type LabelSelector = Parameters<typeof labelSelectorFromObject>[0];

export const selectorText = (selector: LabelSelector): string => plainSelectorText(selector, "<error>") || none;

/** The selector's own text, or `wrong` where it is none. */
export function plainSelectorText(selector: LabelSelector, wrong: string): string {
  try {
    return labelSelectorFromObject(selector).toString();
  } catch (err) {
    if (err instanceof SelectorError) return wrong;
    throw err;
  }
}
