import { compareUtf8, type Decoded, type DecodeOptions, encodeJson } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { sortInSteps } from "@coxswain/apimachinery/sort";
import { parseYamlInSteps } from "@coxswain/apimachinery/yaml";
import type { Steps } from "@coxswain/runtime/steps";
import { jsonBody } from "./json-body.js";
import type { SentBody } from "./sent-body.js";

/** YAML goes by way of JSON. Keys that are there twice are one strict error more. Loaded with the first such body. */
export function* yamlBody(bytes: Uint8Array): Steps<SentBody> {
  const { value, strictError } = yield* parseYamlInSteps(bytes);
  const json = encodeJson(yield* sorted(value));
  yield json.length * microsPerByte;
  return new YamlBody(bytes, yield* jsonBody(json), strictError);
}

class YamlBody implements SentBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly #json: SentBody;
  readonly #strictError: string | undefined;

  constructor(bytes: Uint8Array, json: SentBody, strictError: string | undefined) {
    this.apiVersion = json.apiVersion;
    this.kind = json.kind;
    this.bytes = bytes;
    this.#json = json;
    this.#strictError = strictError;
  }

  checkHead(): Steps<void> {
    return this.#json.checkHead();
  }

  *decode(node: SchemaNode, options: DecodeOptions): Steps<Decoded> {
    const decoded = yield* this.#json.decode(node, options);
    return options.strict === true && this.#strictError !== undefined
      ? { ...decoded, warnings: [this.#strictError, ...decoded.warnings] }
      : decoded;
  }
}

const microsPerByte = 0.02;
const microsPerMember = 0.5;
/** Of a list without an end: a million members in one step are 40 ms. */
const membersPerStep = 10_000;

/** Upstream's way to JSON puts all keys in order, and so are the unknown ones among them. */
function* sorted(value: unknown): Steps<unknown> {
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const item of value) {
      list.push(isNested(item) ? yield* sorted(item) : item);
      if (list.length % membersPerStep === 0) yield membersPerStep * microsPerMember;
    }
    yield (list.length % membersPerStep) * microsPerMember;
    return list;
  }
  if (!isNested(value)) return value;
  const entries = ownEntries<unknown>(value as Record<string, unknown>);
  const out: Record<string, unknown> = {};
  for (const [key, member] of yield* sortInSteps(entries, ([a], [b]) => compareUtf8(a, b)))
    setOwn(out, key, isNested(member) ? yield* sorted(member) : member);
  yield entries.length * microsPerMember;
  return out;
}

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null;
