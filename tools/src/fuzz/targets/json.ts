import { isUtf8 } from "node:buffer";
import { builtInTypes } from "@coxswain/api/tables";
import { DecodeError, decodeAny, decodeJson, encodeJson, equalJson } from "@coxswain/apimachinery/json";
import { accepts, BrokenPromise, type FuzzTarget, textOf } from "../fuzz-target.js";
import { objectSeeds, objectWords } from "./object-seeds.js";

/** Objects as JSON: what is decoded is encoded and decoded to the same, and plain values are those of `JSON.parse`. */
export function jsonTarget(): FuzzTarget {
  const pod = builtInTypes.get("io.k8s.api.core.v1.Pod");
  return {
    name: "json",
    seeds: objectSeeds,
    words: objectWords,
    run(input) {
      comparePlain(input);
      return accepts(() => {
        const { object } = decodeJson(input, pod, { strict: false });
        const again = decodeJson(encodeJson(object, pod), pod, { strict: true });
        if (!equalJson(again.object, object))
          throw new BrokenPromise("decoding, encoding and decoding changes the object");
        if (again.warnings.length > 0) throw new BrokenPromise(`our own JSON is not strict: ${again.warnings[0]}`);
      }, DecodeError);
    },
  };
}

/** Where both readers accept a text, they read the same. How many replacement characters stand for broken UTF-8 is Go's choice with us. */
function comparePlain(input: Uint8Array): void {
  if (!isUtf8(input)) return;
  let ours: unknown;
  if (!accepts(() => (ours = decodeAny(input)), DecodeError)) return;
  let engines: unknown;
  if (!accepts(() => (engines = JSON.parse(textOf(input))), SyntaxError)) return;
  if (JSON.stringify(comparable(ours)) !== JSON.stringify(comparable(engines)))
    throw new BrokenPromise("JSON.parse reads another value");
}

/** Whole numbers beyond 2^53 are bigints with us, and half a surrogate pair is the replacement character, as in Go. */
function comparable(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([key, member]) => [comparable(key), comparable(member)]);
}
