import { builtInTypes } from "@coxswain/api/tables";
import {
  type Decoded,
  type DecodeOptions,
  decodeParsed,
  noteSentText,
  type ParsedJson,
  parseJson,
  parseJsonInSteps,
  scanHead,
} from "@coxswain/apimachinery/json";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { Steps } from "@coxswain/runtime/steps";
import { isLarge } from "../../objects/large-object.js";
import { keepEmptiedManagedFields } from "./emptied-managed-fields.js";
import type { SentBody } from "./sent-body.js";

export function* jsonBody(bytes: Uint8Array): Steps<SentBody> {
  return new JsonBody(bytes, isLarge(bytes.length) ? yield* parseJsonInSteps(bytes) : parseJson(bytes));
}

/** A small body: no section of it is long. */
export const smallJsonBody = (bytes: Uint8Array): SentBody => new JsonBody(bytes, parseJson(bytes));

/** A class: a generator function of an object literal costs each body a prototype and its hidden classes. */
class JsonBody implements SentBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  /** Undefined where the text was too much for the quick parser, and once it is part of an object. */
  #parsed: ParsedJson | undefined;
  /** Where the quick parser gave up nobody counted them. */
  readonly #mayHaveFloats: boolean;

  constructor(bytes: Uint8Array, parsed: ParsedJson | undefined) {
    const { apiVersion, kind } = headOf(parsed, bytes);
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.bytes = bytes;
    this.#parsed = parsed;
    this.#mayHaveFloats = parsed === undefined || parsed.scan.fractions > 0;
  }

  *checkHead(): Steps<void> {
    const head = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta");
    yield* decodeParsed(yield* parseJsonInSteps(this.bytes), this.bytes, head);
  }

  *decode(node: SchemaNode, options: DecodeOptions): Steps<Decoded> {
    const { bytes } = this;
    const decoded = yield* decodeParsed(this.#parsed ?? (yield* parseJsonInSteps(bytes)), bytes, node, options);
    this.#parsed = undefined; // it is part of the object now
    keepEmptiedManagedFields(decoded.object);
    if (this.#mayHaveFloats && isObject(decoded.object))
      noteSentText(decoded.object, { bytes, locate: (object) => object });
    return decoded;
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function headOf(parsed: ParsedJson | undefined, bytes: Uint8Array): { apiVersion: string; kind: string } {
  if (!parsed) return scanHead(bytes);
  const { apiVersion, kind } = (parsed.value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return { apiVersion: typeof apiVersion === "string" ? apiVersion : "", kind: typeof kind === "string" ? kind : "" };
}
