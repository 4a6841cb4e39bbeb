import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import type { StrategyContext } from "../definition/strategy.js";

const gate = "ManifestBasedAdmissionControlConfig";
const reserved =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

const isReserved = (name: string | undefined): name is string => name?.endsWith(".static.k8s.io") ?? false;

interface Named {
  readonly metadata: { readonly name?: string };
}

/** Where a server can be given such objects in files, the API may not make them; elsewhere it warns. */
export const checkNameIsFree = ({ metadata }: Named, { gates }: StrategyContext): FieldError[] =>
  gates.enabled(gate) && isReserved(metadata.name)
    ? [invalid(fieldPath("metadata", "name"), metadata.name, reserved)]
    : [];

export const reservedNameWarnings = ({ metadata }: Named): string[] =>
  isReserved(metadata.name) ? [`metadata.name: ${reserved}`] : [];

export const reservedNameWarningsOfNew = (object: Named, context?: StrategyContext): string[] =>
  context?.gates.enabled(gate) ? [] : reservedNameWarnings(object);
