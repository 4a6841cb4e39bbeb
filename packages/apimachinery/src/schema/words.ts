import type { ApplyType, UnionFact } from "./schema-node.js";
import { cut } from "./table.js";

/**
 * The meaning of the words after a type or a member:
 * o omitempty, z omitzero, r required, a atomic, mt= another map type, ps= patch strategy, pk= patch merge key, lt= list type,
 * lk= list keys, g= feature gates, d= default as JSON without blanks, v= declarative validation rules in force, vc= those that
 * upstream only compares with its hand-written ones; on a struct u=discriminator,field:GoName,… a union as OpenAPI names it.
 * Rules are separated by ";" and read as upstream's markers (k8s.io/code-generator/cmd/validation-gen), without "+k8s:" and blanks: `maxItems=32;eachVal=format=k8s-uuid`.
 */
export interface Words {
  omitEmpty: boolean;
  omitZero: boolean;
  required: boolean;
  applyType: ApplyType;
  listKeys: readonly string[];
  patchStrategy: readonly string[];
  patchMergeKey: string;
  gates: readonly string[];
  defaultValue: unknown;
  rules: readonly string[];
  comparedRules: readonly string[];
  unions: readonly UnionFact[];
}

const none: readonly string[] = [];
const noUnions: readonly UnionFact[] = [];

/** Members have few different texts, so that nearly every text has been read before. */
const known = new Map<string, Words>();

export function readWords(text: string): Words {
  let words = known.get(text);
  if (!words) known.set(text, (words = parseWords(text)));
  return words;
}

function parseWords(text: string): Words {
  const words: Words = {
    omitEmpty: false,
    omitZero: false,
    required: false,
    applyType: "",
    listKeys: none,
    patchStrategy: none,
    patchMergeKey: "",
    gates: none,
    defaultValue: undefined,
    rules: none,
    comparedRules: none,
    unions: noUnions,
  };
  for (const word of text === "" ? none : text.split(" ")) setWord(words, ...cut(word, "="));
  return words;
}

function setWord(words: Words, key: string, value: string): void {
  switch (key) {
    case "o":
      words.omitEmpty = true;
      break;
    case "z":
      words.omitZero = true;
      break;
    case "r":
      words.required = true;
      break;
    case "a":
      words.applyType = "atomic";
      break;
    case "lt":
    case "mt":
      words.applyType = value as ApplyType;
      break;
    case "lk":
      words.listKeys = value.split(",");
      break;
    case "ps":
      words.patchStrategy = value.split(",");
      break;
    case "pk":
      words.patchMergeKey = value;
      break;
    case "g":
      words.gates = value.split(",");
      break;
    case "d":
      words.defaultValue = JSON.parse(value);
      break;
    case "v":
      words.rules = value.split(";");
      break;
    case "vc":
      words.comparedRules = value.split(";");
      break;
    case "u":
      words.unions = [readUnion(value)];
      break;
    default:
      throw new Error(`type table: nobody knows the word "${key}"`);
  }
}

function readUnion(text: string): UnionFact {
  const [discriminator = "", ...members] = text.split(",");
  return {
    discriminator,
    members: members.map((member) => cut(member, ":")).map(([field, goName]) => ({ field, goName })),
  };
}
