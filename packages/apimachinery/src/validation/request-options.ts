import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "../field/index.js";
import { validateFieldManager } from "./managed-fields.js";

/** What a write may ask for, from the query. Absent members are undefined; Go's pointers keep that difference. */
export interface WriteOptions {
  readonly dryRun?: readonly string[] | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: string | undefined;
}

export interface PatchOptions extends WriteOptions {
  readonly force?: boolean | undefined;
}

export interface DeleteOptions {
  readonly dryRun?: readonly string[] | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: object | undefined;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}

export interface ListOptions {
  readonly watch?: boolean | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly continue?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
}

/** Create and update have the same rules. */
export const validateWriteOptions = ({
  dryRun = [],
  fieldManager = "",
  fieldValidation = "",
}: WriteOptions): FieldError[] => [
  ...validateFieldManager(fieldManager, fieldPath("fieldManager")),
  ...validateDryRun(dryRun, fieldPath("dryRun")),
  ...validateFieldValidation(fieldValidation, fieldPath("fieldValidation")),
];

export function validatePatchOptions(options: PatchOptions, { apply }: { readonly apply: boolean }): FieldError[] {
  const errors: FieldError[] = [];
  if (apply && !options.fieldManager) errors.push(required(fieldPath("fieldManager"), "is required for apply patch"));
  if (!apply && options.force !== undefined)
    errors.push(forbidden(fieldPath("force"), "may not be specified for non-apply patch"));
  return [...errors, ...validateWriteOptions(options)];
}

const policies = ["Foreground", "Background", "Orphan"];

export function validateDeleteOptions(options: DeleteOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy, orphanDependents } = options;
  const path = fieldPath("propagationPolicy");
  if (orphanDependents !== undefined && policy !== undefined) {
    errors.push(invalid(path, namedText(policy), "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (policy !== undefined && !policies.includes(policy))
    errors.push(notSupported(path, namedText(policy), [...policies, "nil"]));
  return [
    ...errors,
    ...validateDryRun(options.dryRun ?? [], fieldPath("dryRun")),
    ...validateIgnoreStoreReadError(options),
  ];
}

function validateIgnoreStoreReadError(options: DeleteOptions): FieldError[] {
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return [];
  const path = fieldPath("ignoreStoreReadErrorWithClusterBreakingPotential");
  const others = {
    dryRun: (options.dryRun ?? []).length > 0,
    propagationPolicy: options.propagationPolicy !== undefined,
    orphanDependents: options.orphanDependents !== undefined,
    gracePeriodSeconds: options.gracePeriodSeconds !== undefined,
    preconditions: options.preconditions !== undefined,
  };
  return Object.entries(others).flatMap(([name, set]) =>
    set ? [invalid(path, true, `cannot be set together with .${name}`)] : [],
  );
}

export const validateDryRun = (dryRun: readonly string[], path: FieldPath): FieldError[] =>
  dryRun.every((value) => value === "All") ? [] : [notSupported(path, dryRun, ["All"])];

const fieldValidations = ["", "Ignore", "Strict", "Warn"];

export const validateFieldValidation = (value: string, path: FieldPath): FieldError[] =>
  fieldValidations.includes(value) ? [] : [notSupported(path, value, fieldValidations)];

export function validateListOptions(options: ListOptions): FieldError[] {
  if (options.watch === true) return validateWatchOptions(options);
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch ?? "";
  const path = fieldPath("resourceVersionMatch");
  if (match !== "") {
    if (!options.resourceVersion)
      errors.push(forbidden(path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    if (options.continue) errors.push(forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
    if (match !== "Exact" && match !== "NotOlderThan")
      errors.push(notSupported(path, namedText(match), ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && options.resourceVersion === "0") {
      errors.push(forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined)
    errors.push(forbidden(fieldPath("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
  return errors;
}

function validateWatchOptions(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch ?? "";
  const path = fieldPath("resourceVersionMatch");
  const initial = options.sendInitialEvents !== undefined;
  if (initial && match !== "NotOlderThan")
    errors.push(forbidden(path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  if (match === "") return errors;
  if (!initial)
    errors.push(forbidden(path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  if (match !== "NotOlderThan") errors.push(notSupported(path, namedText(match), ["NotOlderThan"]));
  if (options.continue) errors.push(forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  return errors;
}
