import { compareUtf8, encodeJson } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
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
  const body = yield* jsonBody(json);
  return {
    ...body,
    bytes,
    *decode(node, options) {
      const decoded = yield* body.decode(node, options);
      return options.strict === true && strictError !== undefined
        ? { ...decoded, warnings: [strictError, ...decoded.warnings] }
        : decoded;
    },
  };
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
