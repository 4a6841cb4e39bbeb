import type { DeepReadonly } from "@coxswain/api";
import type { LabelSelector } from "@coxswain/api/meta/v1";
import { labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";

/** Every stored object has one; what was made by hand may not. */
export const uidOf = ({ metadata }: { readonly metadata?: { readonly uid?: string } | undefined }): string =>
  metadata?.uid ?? "";

/** What a workload's selector matches; one without matches nothing. */
export const selectorOf = ({
  spec,
}: {
  readonly spec?: { readonly selector?: DeepReadonly<LabelSelector> | undefined } | undefined;
}): Selector => labelSelectorFromObject(spec?.selector);
