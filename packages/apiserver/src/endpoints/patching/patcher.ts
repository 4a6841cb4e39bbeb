import { fieldPath, invalid as invalidField, quoteGo } from "@coxswain/apimachinery/field";
import {
  cloneJson,
  compareUtf8,
  type Decoded,
  DecodeError,
  encodeJson,
  encodeUtf8,
  isJsonObject,
  noteSentText,
  strictDecodingMessage,
  walk,
} from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import type { PatchType } from "@coxswain/apimachinery/negotiation";
import {
  applyJsonPatchInSteps,
  applyMergePatch,
  applyStrategicMergePatch,
  goText,
  unknownOperationFields,
} from "@coxswain/apimachinery/patch";
import { badRequest, invalid, StatusError } from "@coxswain/apimachinery/status";
import { goJsonKind } from "@coxswain/apimachinery/text";
import { type AnyKind, numberProblem } from "@coxswain/kinds/definition";
import type { Steps } from "@coxswain/runtime/steps";
import { decodeAs } from "../decode/decode-as.js";
import { jsonBody } from "../decode/json-body.js";
import type { SentBody } from "../decode/sent-body.js";
import type { FieldValidation } from "../write-options.js";
import { conversionFault } from "./conversion-fault.js";
import { locateValues } from "./locate-values.js";
import { parsePatch } from "./parse-patch.js";
import { patchedText } from "./patched-text.js";
import { wrapIntegers } from "./wrap-integers.js";

export interface Patched {
  readonly object: KubernetesObject;
  /** Unknown and duplicate fields, of the patch and of what it made. */
  readonly warnings: readonly string[];
}

/** Applies one patch to whatever is there. What it makes is checked like an object that a client sent. Throws StatusError. */
export type Patcher = (current: KubernetesObject) => Steps<Patched>;

interface PatchRequest {
  readonly bytes: Uint8Array;
  readonly kind: AnyKind;
  readonly validation: FieldValidation;
}

export function createPatcher(
  type: Exclude<PatchType, "application/apply-patch+yaml">,
  request: PatchRequest,
): Patcher {
  switch (type) {
    case "application/json-patch+json":
      return (current) => patchDocument(request, jsonPatch, current);
    case "application/merge-patch+json":
      return (current) => patchDocument(request, mergePatch, current);
    case "application/strategic-merge-patch+json":
      return (current) => patchStrategically(request, current);
  }
}

interface DocumentPatch {
  apply(current: Readonly<Record<string, unknown>>, patch: unknown): Steps<unknown>;
  strict(patch: unknown, duplicates: readonly string[]): readonly string[];
  /** What the patch has become in the object. */
  locate(patch: unknown, object: object): unknown;
  /** Values of the patch stay in the document as they were written. */
  readonly carries: boolean;
  /** The message for a patch that cannot be parsed where its fields were not checked before. */
  malformed(why: string): string;
}

const jsonPatchFaults = (patch: unknown, duplicates: readonly string[]): string[] => [
  ...unknownOperationFields(patch),
  ...duplicates.map((text) => `json patch ${text}`),
];

const jsonPatch: DocumentPatch = {
  apply: applyJsonPatchInSteps,
  strict: jsonPatchFaults,
  locate: locateValues,
  carries: true,
  malformed: (why) => why,
};

const mergePatch: DocumentPatch = {
  *apply(current, patch) {
    // Linear in the patch: a section of its own is enough.
    yield 0;
    return applyMergePatch(current, patch);
  },
  strict: (_patch, duplicates) => duplicates,
  locate: (_patch, object) => object,
  carries: false,
  malformed: () => "Invalid JSON Patch",
};

/** Patches of JSON documents: what they make is read like any JSON text. */
function* patchDocument(
  { bytes, kind, validation }: PatchRequest,
  { apply, strict, locate, carries, malformed }: DocumentPatch,
  current: KubernetesObject,
): Steps<Patched> {
  const patch = yield* parsed(bytes, validation === "Ignore" ? malformed : (why) => `error decoding patch: ${why}`);
  const patched = yield* apply(current as unknown as Record<string, unknown>, patch.object);
  const text = (): string => patchedText(patched, carries ? [current, patch.object] : [current]);
  const refuse = (why: string): StatusError => invalidPatch(text(), why);
  try {
    const { object, warnings: found } = yield* decodePatched(
      yield* jsonBody(encodeJson(patched)),
      patched,
      kind,
      validation,
    );
    // Several are reported in the order of upstream's text, which is not that of ours.
    const warnings =
      found.length > 1
        ? (yield* decodePatched(yield* jsonBody(encodeUtf8(text())), patched, kind, validation)).warnings
        : found;
    if (kind.facts.custom) noteSentText(object as object, { bytes, locate: (made) => locate(patch.object, made) });
    return withFieldValidation(
      validation,
      object,
      [...strict(patch.object, patch.warnings), ...warnings],
      kind,
      refuse,
    );
  } catch (err) {
    throw err instanceof DecodeError ? refuse(err.message) : err;
  }
}

/** Upstream takes a document without a version for its internal form, in which no member has the name it has in any version. */
function* decodePatched(body: SentBody, patched: unknown, kind: AnyKind, validation: FieldValidation): Steps<Decoded> {
  if (body.apiVersion !== "") return yield* decodeAs(body, kind, { strict: validation !== "Ignore" });
  yield* body.checkHead();
  const members = Object.keys(patched as object).filter((name) => name !== "kind" && name !== "apiVersion");
  return {
    object: walk({}, kind.schema),
    warnings: members.sort(compareUtf8).map((name) => `unknown field ${quoteGo(name)}`),
  };
}

/** Strategic merge works on untyped objects, and never sees a text. */
function* patchStrategically(request: PatchRequest, current: KubernetesObject): Steps<Patched> {
  const { bytes, kind } = request;
  const patch = yield* parsed(bytes, (why) => why);
  const members = patch.object === null ? {} : patch.object;
  if (!isJsonObject(members))
    throw badRequest(`json: cannot unmarshal ${goJsonKind(members)} into Go value of type map[string]interface {}`);
  const patched = applyStrategicMergePatch(current as unknown as Record<string, unknown>, members, kind.schema);
  const refuse = (why: string): StatusError => invalidPatch(goText(members), why);
  const fault = (err: DecodeError): string => conversionFault(patched, kind.schema) ?? err.message;
  try {
    return yield* decodeMerged(request, patched, patch.warnings, refuse);
  } catch (err) {
    if (!(err instanceof DecodeError)) throw err;
    const why = fault(err);
    if (why.startsWith("illegal base64")) throw refuse(`error decoding from json: ${why}`);
    if (!why.includes("cannot unmarshal number")) throw refuse(why);
  }
  try {
    return yield* decodeMerged(request, wrapIntegers(cloneJson(patched), kind.schema), patch.warnings, refuse);
  } catch (err) {
    throw err instanceof DecodeError ? refuse(fault(err)) : err;
  }
}

function* decodeMerged(
  { kind, validation }: PatchRequest,
  value: unknown,
  faults: readonly string[],
  refuse: (why: string) => StatusError,
): Steps<Patched> {
  const body = yield* jsonBody(encodeJson(value));
  const { object, warnings } = yield* body.decode(kind.schema, { strict: validation !== "Ignore" });
  const answer = withFieldValidation(validation, object, [...faults, ...[...warnings].sort()], kind, refuse);
  const problem = kind.numberAnnotation && numberProblem(kind.numberAnnotation, answer.object.metadata);
  if (problem !== undefined) throw new StatusError({ code: 500, reason: "", message: problem });
  return answer;
}

function* parsed(bytes: Uint8Array, message: (why: string) => string): Steps<Decoded> {
  try {
    return yield* parsePatch(bytes);
  } catch (err) {
    if (err instanceof DecodeError) throw badRequest(message(err.message), { cause: err });
    throw err;
  }
}

/** Applies field validation to the faults that do not keep an object from being decoded. */
function withFieldValidation(
  validation: FieldValidation,
  object: unknown,
  faults: readonly string[],
  kind: AnyKind,
  refuse: (why: string) => StatusError,
): Patched {
  if (faults.length > 0 && validation === "Strict") throw refuse(strictDecodingMessage(faults));
  const typed = object as KubernetesObject;
  typed.kind = kind.kind;
  typed.apiVersion = formatGroupVersion(kind);
  return { object: typed, warnings: validation === "Warn" ? faults : [] };
}

const invalidPatch = (text: string, why: string): StatusError =>
  invalid({ group: "", kind: "" }, "", [invalidField(fieldPath("patch"), text, why)]);
