import { checkLabelValue } from "@coxswain/apimachinery/validation";

interface Selector {
  readonly matchExpressions?: readonly { readonly values?: readonly string[] }[];
}

/** A stored selector may hold values that were let through before they were checked; an update of something else leaves them. */
export const hasInvalidLabelValue = (selector: Selector | null | undefined): boolean =>
  selector?.matchExpressions?.some(({ values }) => values?.some((value) => checkLabelValue(value).length > 0)) ?? false;
