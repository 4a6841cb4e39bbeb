import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
} from "@coxswain/api/authorization/v1";
import { childOf, type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import { validateFieldSelectorRequirement, validateLabelSelectorRequirement } from "@coxswain/apimachinery/validation";

export type Question = Pick<SubjectAccessReviewSpec, "resourceAttributes" | "nonResourceAttributes">;

/** A review asks about one thing, and its selectors can be read. */
export function checkQuestion(
  { resourceAttributes, nonResourceAttributes }: Question,
  subject: readonly FieldError[] = [],
): FieldError[] {
  const errors: FieldError[] = [];
  if (resourceAttributes && nonResourceAttributes)
    errors.push(
      invalid(
        fieldPath("spec", "nonResourceAttributes"),
        internalForm(nonResourceAttributes),
        "cannot be specified in combination with resourceAttributes",
      ),
    );
  if (!resourceAttributes && !nonResourceAttributes)
    errors.push(
      invalid(
        fieldPath("spec", "resourceAttributes"),
        null,
        "exactly one of nonResourceAttributes or resourceAttributes must be specified",
      ),
    );
  return [
    ...errors,
    ...subject,
    ...(resourceAttributes ? checkSelectors(resourceAttributes, fieldPath("spec", "resourceAttributes")) : []),
  ];
}

/** The hub version of this type has no JSON names of its own. */
export const internalForm = ({ path = "", verb = "" }: { path?: string; verb?: string }): object => ({
  Path: path,
  Verb: verb,
});

export function checkSubject({ user, groups }: SubjectAccessReviewSpec): FieldError[] {
  return !user && (groups?.length ?? 0) === 0
    ? [invalid(fieldPath("spec", "user"), user ?? "", "at least one of user or group must be specified")]
    : [];
}

/** A review is no object that is kept. */
export function checkMetadata(metadata: ObjectMeta, mayHave: readonly string[] = []): FieldError[] {
  const { managedFields: _managed, ...rest } = metadata;
  if (Object.keys(rest).every((member) => mayHave.includes(member))) return [];
  return [
    invalid(
      fieldPath("metadata"),
      metadata,
      mayHave.length === 0 ? "must be empty" : `must be empty except for ${mayHave.join(", ")}`,
    ),
  ];
}

/** Newer clients may know more operators: that is no mistake here. */
const rules = { allowUnknownOperators: true };

function checkSelectors({ fieldSelector, labelSelector }: ResourceAttributes, path: FieldPath): FieldError[] {
  const fields = childOf(path, "fieldSelector");
  const labels = childOf(path, "labelSelector");
  return [
    ...(fieldSelector
      ? [
          ...checkForms(fieldSelector, fields),
          ...(fieldSelector.requirements ?? []).flatMap((each, at) =>
            validateFieldSelectorRequirement(each, childOf(fields, "requirements").index(at), rules),
          ),
        ]
      : []),
    ...(labelSelector
      ? [
          ...checkForms(labelSelector, labels),
          ...(labelSelector.requirements ?? []).flatMap((each, at) =>
            validateLabelSelectorRequirement(each, childOf(labels, "requirements").index(at), rules),
          ),
        ]
      : []),
  ];
}

/** As a text, or as a list. */
function checkForms(
  { rawSelector = "", requirements = [] }: FieldSelectorAttributes | LabelSelectorAttributes,
  path: FieldPath,
): FieldError[] {
  if (rawSelector !== "" && requirements.length > 0)
    return [invalid(childOf(path, "rawSelector"), rawSelector, "may not specified at the same time as requirements")];
  if (rawSelector === "" && requirements.length === 0)
    return [
      required(
        childOf(path, "requirements"),
        `when ${String(path)} is specified, requirements or rawSelector is required`,
      ),
    ];
  return [];
}
