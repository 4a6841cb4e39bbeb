import {
  type FieldRequirement,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelRequirements,
} from "@coxswain/apimachinery/selector";
import type { AskedSelector, Attributes } from "./attributes.js";

type Selectors = Pick<Attributes, "fieldSelector" | "labelSelector">;

/** The selectors of a question, as far as they can be read. Empty texts are no selectors. */
export function askedSelectors(fields: string, labels: string): Selectors {
  const fieldSelector: AskedSelector<FieldRequirement> | undefined =
    fields === "" ? undefined : reading(() => parseFieldSelector(fields).requirements);
  const labelSelector: AskedSelector<LabelRequirement> | undefined =
    labels === ""
      ? undefined
      : reading(() => [...parseLabelRequirements(labels)].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))); // by key, as upstream reads them (k8s.io/apimachinery/pkg/labels/selector.go, ByKey)
  return { ...(fieldSelector && { fieldSelector }), ...(labelSelector && { labelSelector }) };
}

function reading<Requirement>(parse: () => readonly Requirement[]): AskedSelector<Requirement> | undefined {
  try {
    const requirements = parse();
    return requirements.length === 0 ? undefined : { requirements };
  } catch (err) {
    return { requirements: [], error: err instanceof Error ? err.message : String(err) };
  }
}
