import { DecodeError, encodeJson, strictDecodingMessage } from "@coxswain/apimachinery/json";
import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import type { PatchType } from "@coxswain/apimachinery/negotiation";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, goText, unknownOperationFields } from "@coxswain/apimachinery/patch";
import { badRequest, invalid, type StatusError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { decodeAs } from "../decode/decode-as.js";
import { jsonBody } from "../decode/sent-body.js";
import type { FieldValidation } from "../write-options.js";
import { conversionFault } from "./conversion-fault.js";
import { parsePatch } from "./parse-patch.js";
import { patchedText } from "./patched-text.js";

export interface Patched {
  readonly object: KubernetesObject;
  /** Unknown and duplicate fields, of the patch and of what it made. */
  readonly warnings: readonly string[];
}

/** Applies one patch to whatever is there. What it makes is checked like an object that a client sent. Throws StatusError. */
export type Patcher = (current: KubernetesObject) => Patched;

interface PatchRequest {
  readonly bytes: Uint8Array;
  readonly kind: AnyKind;
  readonly validation: FieldValidation;
}

export function createPatcher(type: Exclude<PatchType, "application/apply-patch+yaml">, request: PatchRequest): Patcher {
  switch (type) {
    case "application/json-patch+json":
      return documentPatcher(request, { apply: applyJsonPatch, strict: jsonPatchFaults, carries: true });
    case "application/merge-patch+json":
      return documentPatcher(request, { apply: applyMergePatch, strict: (_patch, duplicates) => duplicates, carries: false });
    case "application/strategic-merge-patch+json":
      return strategicPatcher(request);
  }
}

interface DocumentPatch {
  apply(current: Readonly<Record<string, unknown>>, patch: unknown): unknown;
  strict(patch: unknown, duplicates: readonly string[]): readonly string[];
  /** Values of the patch stay in the document as they were written. */
  readonly carries: boolean;
}

const jsonPatchFaults = (patch: unknown, duplicates: readonly string[]): string[] => [...unknownOperationFields(patch), ...duplicates.map((text) => `json patch ${text}`)];

/** Patches of JSON documents: what they make is read like any JSON text. */
function documentPatcher({ bytes, kind, validation }: PatchRequest, { apply, strict, carries }: DocumentPatch): Patcher {
  return (current) => {
    const patch = parsed(bytes, "error decoding patch: ");
    const patched = apply(current as unknown as Record<string, unknown>, patch.object);
    const refuse = (why: string): StatusError => invalidPatch(patchedText(patched, carries ? [current, patch.object] : [current]), why);
    try {
      const { object, warnings } = decodeAs(jsonBody(encodeJson(patched)), kind, { strict: validation !== "Ignore" });
      return judged(validation, object, [...strict(patch.object, patch.warnings), ...warnings], kind, refuse);
    } catch (err) {
      throw err instanceof DecodeError ? refuse(err.message) : err;
    }
  };
}

/** Strategic merge works on untyped objects, and never sees a text. */
function strategicPatcher({ bytes, kind, validation }: PatchRequest): Patcher {
  return (current) => {
    const patch = parsed(bytes, "");
    const patched = applyStrategicMergePatch(current as unknown as Record<string, unknown>, patch.object, kind.schema);
    const refuse = (why: string): StatusError => invalidPatch(goText(patch.object), why);
    try {
      const { object, warnings } = jsonBody(encodeJson(patched)).decode(kind.schema, { strict: validation !== "Ignore" });
      return judged(validation, object, [...patch.warnings, ...[...warnings].sort()], kind, refuse);
    } catch (err) {
      throw err instanceof DecodeError ? refuse(conversionFault(patched, kind.schema) ?? err.message) : err;
    }
  };
}

function parsed(bytes: Uint8Array, before: string) {
  try {
    return parsePatch(bytes);
  } catch (err) {
    if (err instanceof DecodeError) throw badRequest(`${before}${err.message}`, { cause: err });
    throw err;
  }
}

/** What field validation says to the faults that do not keep an object from being read. */
function judged(validation: FieldValidation, object: unknown, faults: readonly string[], kind: AnyKind, refuse: (why: string) => StatusError): Patched {
  if (faults.length > 0 && validation === "Strict") throw refuse(strictDecodingMessage(faults));
  const typed = object as KubernetesObject;
  typed.kind = kind.kind;
  typed.apiVersion = formatGroupVersion(kind);
  return { object: typed, warnings: validation === "Warn" ? faults : [] };
}

const invalidPatch = (text: string, why: string): StatusError => invalid({ group: "", kind: "" }, "", [invalidField(fieldPath("patch"), text, why)]);
