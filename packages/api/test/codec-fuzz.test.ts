import { readFileSync } from "node:fs";
import { builtInTypes } from "@coxswain/api/tables";
import {
  cloneJson,
  DecodeError,
  decodeJson,
  encodeJson,
  equalJson,
  stringifyJson,
  walk,
} from "@coxswain/apimachinery/json";
import { locateMetadata, spliceResourceVersion, withoutManagedFields } from "@coxswain/apimachinery/object";
import {
  decodeProtobuf,
  decodeProtobufObject,
  encodeProtobuf,
  encodeProtobufObject,
} from "@coxswain/apimachinery/protobuf";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { parseYaml, parseYamlDocuments, stringifyYaml } from "@coxswain/apimachinery/yaml";
import { createSeededRandom, randomInt, type SeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";

/** Each test changes objects at random for this long. The seed is in the suite's name, so that a failure can be run again. */
const budgetMs = 1_500;
const seed = process.env.COXSWAIN_FUZZ_SEED ?? "codecs";

interface Sample {
  readonly node: SchemaNode;
  readonly text: string;
}
const recorded = JSON.parse(readFileSync(new URL("testdata/codec-answers.json", import.meta.url), "utf8")) as {
  type: string;
  output?: string;
}[];
const samples: Sample[] = recorded.flatMap(({ type, output }) => {
  const name = builtInTypes.names().find((candidate) => candidate.endsWith(`.v1.${type}`));
  return output === undefined || name === undefined ? [] : [{ node: builtInTypes.get(name), text: output }];
});

const oddValues = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1.0",
  "1e3",
  "-0",
  "9223372036854775807",
  "9223372036854775808",
  "2147483648",
  '""',
  '"x"',
  '"5"',
  '"1000m"',
  '"1Gi"',
  '"2001-01-01T00:00:00Z"',
  '"2001-01-01T00:00:00.123456+02:00"',
  '"YQ=="',
  '"YR=="',
  "[]",
  "{}",
  "[null]",
  '["a"]',
  '{"a":null}',
  '{"a":"b","a":"c"}',
  '[{"name":"x"}]',
  '{"__proto__":{"a":1}}',
  '{"constructor":"a"}',
  '"\\ud800"',
  '"<&>\u2028"',
  '"é😀"',
]; // prettier-ignore

/** Replaces, doubles or drops a value somewhere in the text. */
function mutateText(text: string, random: SeededRandom): string {
  const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!:)|-?\d[\d.eE+-]*|true|false|null|\{\}|\[\]/g)];
  const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*":/g)];
  const odd = oddValues[randomInt(oddValues.length, random)] as string;
  const key = keys[randomInt(Math.max(keys.length, 1), random)];
  const value = values[randomInt(Math.max(values.length, 1), random)];
  switch (randomInt(4, random)) {
    case 0:
      return key ? `${text.slice(0, key.index)}${key[0]}${odd},${text.slice(key.index)}` : text;
    case 1:
      return key
        ? `${text.slice(0, key.index)}"${["x", "__proto__", "constructor", "kind"][randomInt(4, random)]}":${odd},${text.slice(key.index)}`
        : text;
    default:
      return value ? `${text.slice(0, value.index)}${odd}${text.slice(value.index + value[0].length)}` : text;
  }
}

/** Damages a few bytes, or cuts the end off. */
function mutateBytes(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  if (random.next() < 0.2) return bytes.slice(0, randomInt(bytes.length + 1, random));
  const copy = bytes.slice();
  for (let count = randomInt(3, random); count >= 0 && copy.length > 0; count--)
    copy[randomInt(copy.length, random)] = randomInt(256, random);
  return copy;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The result, or undefined for a DecodeError; any other error fails the test. */
function tryDecode<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (err) {
    if (err instanceof DecodeError) return undefined;
    throw err;
  }
}

/** Runs `body` on changed samples until the time is up. `stream` keeps the chances of the tests apart. */
function fuzz(stream: string, body: (sample: Sample, random: SeededRandom) => void): void {
  const random = createSeededRandom(`${seed} ${stream}`);
  const end = performance.now() + budgetMs;
  let runs = 0;
  for (; performance.now() < end; runs++) {
    const { node, text } = samples[randomInt(samples.length, random)] as Sample;
    let changed = text;
    for (let count = randomInt(4, random); count > 0; count--) changed = mutateText(changed, random);
    body({ node, text: changed }, random);
  }
  if (runs < 100) throw new Error(`only ${runs} runs in ${budgetMs} ms`);
  if ("a" in {}) throw new Error("the prototype of all objects was changed");
}

describe(`whatever comes in (seed "${seed}")`, () => {
  it("JSON: the canonical form is stable, and the slow decoder agrees with the quick one", () =>
    fuzz("json", ({ node, text }) => {
      const decoded = tryDecode(() => decodeJson(encode(text), node));
      // A member that the type does not have, with a number that only the slow decoder takes, sends the same text the other way.
      const slow = tryDecode(() =>
        decodeJson(encode(text.replace(/^\{/, '{"zzz":1234567890123456789,').replace(/,\}$/, "}")), node),
      );
      expect(slow === undefined).toBe(decoded === undefined);
      if (!decoded) return;
      const bytes = stringifyJson(decoded.object);
      expect(stringifyJson(slow?.object)).toBe(bytes);
      expect(stringifyJson(decodeJson(encode(bytes), node, { strict: true }).object)).toBe(bytes);
      expect(stringifyJson(walk(decoded.object, node))).toBe(bytes);
      expect(equalJson(cloneJson(decoded.object), decoded.object)).toBe(true);
    }));

  it("JSON: damaged bytes are refused or read, never more", () =>
    fuzz("damaged", ({ node, text }, random) => {
      const bytes = mutateBytes(encode(text), random);
      const decoded = tryDecode(() => decodeJson(bytes, node, { strict: true }));
      if (decoded) expect(tryDecode(() => decodeJson(encodeJson(decoded.object), node))).toBeDefined();
      locateMetadata(bytes);
    }));

  it("bytes of objects: a spliced resourceVersion is the same as a decoded and encoded one", () =>
    fuzz("splice", ({ node, text }) => {
      const decoded = tryDecode(() => decodeJson(encode(text), node));
      if (!decoded) return;
      const bytes = encodeJson(decoded.object, node);
      const object = cloneJson(decoded.object) as { metadata: Record<string, unknown> };
      object.metadata.resourceVersion = "77";
      expect(stringifyJson(walk(object, node))).toBe(new TextDecoder().decode(spliceResourceVersion(bytes, 77)));
      delete object.metadata.managedFields;
      expect(stringifyJson(walk(object, node))).toBe(
        new TextDecoder().decode(withoutManagedFields(spliceResourceVersion(bytes, 77))),
      );
    }));

  it("protobuf: there and back", () =>
    fuzz("protobuf", ({ node, text }, random) => {
      const decoded = tryDecode(() => decodeJson(encode(text), node));
      if (!decoded) return;
      // Bytes that are nil in a map are empty after the first time, in Go as well.
      const bytes = encodeProtobufObject(decodeProtobufObject(encodeProtobufObject(decoded.object, node), node), node);
      const again = decodeProtobufObject(bytes, node);
      expect(Buffer.from(encodeProtobufObject(again, node)).equals(bytes)).toBe(true);
      expect(stringifyJson(decodeProtobufObject(Buffer.from(bytes), node))).toBe(stringifyJson(again));
      const damaged = tryDecode(() => decodeProtobufObject(mutateBytes(bytes, random), node));
      if (damaged) encodeProtobuf(damaged, node);
      tryDecode(() => decodeProtobuf(random.bytes(randomInt(200, random)), node));
    }));

  it("YAML: there and back, and damaged", () =>
    fuzz("yaml", ({ node, text }, random) => {
      const decoded = tryDecode(() => decodeJson(encode(text), node));
      if (!decoded) return;
      const yaml = stringifyYaml(decoded.object);
      const { value, strictError } = parseYaml(yaml);
      expect(strictError).toBeUndefined();
      expect(equalJson(value, decoded.object)).toBe(true);
      const damaged = new TextDecoder().decode(mutateBytes(encode(yaml), random));
      tryDecode(() => parseYaml(damaged));
      tryDecode(() => parseYamlDocuments(damaged));
    }));
});
