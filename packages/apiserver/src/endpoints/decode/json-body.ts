import { builtInTypes } from "@coxswain/api/tables";
import { decodeParsed, noteSentText, type ParsedJson, parseJsonInSteps, scanHead } from "@coxswain/apimachinery/json";
import type { Steps } from "@coxswain/runtime/steps";
import { keepEmptiedManagedFields } from "./emptied-managed-fields.js";
import type { SentBody } from "./sent-body.js";

export function* jsonBody(bytes: Uint8Array): Steps<SentBody> {
  let parsed = yield* parseJsonInSteps(bytes);
  // Where the text was too much for the quick parser nobody counted them.
  const mayHaveFloats = parsed === undefined || parsed.scan.fractions > 0;
  const { apiVersion, kind } = headOf(parsed, bytes);
  return {
    apiVersion,
    kind,
    bytes,
    *checkHead() {
      const head = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta");
      yield* decodeParsed(yield* parseJsonInSteps(bytes), bytes, head);
    },
    *decode(node, options) {
      const decoded = yield* decodeParsed(parsed ?? (yield* parseJsonInSteps(bytes)), bytes, node, options);
      parsed = undefined; // it is part of the object now
      keepEmptiedManagedFields(decoded.object);
      if (mayHaveFloats && isObject(decoded.object))
        noteSentText(decoded.object, { bytes, locate: (object) => object });
      return decoded;
    },
  };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function headOf(parsed: ParsedJson | undefined, bytes: Uint8Array): { apiVersion: string; kind: string } {
  if (!parsed) return scanHead(bytes);
  const { apiVersion, kind } = (parsed.value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return { apiVersion: typeof apiVersion === "string" ? apiVersion : "", kind: typeof kind === "string" ? kind : "" };
}
