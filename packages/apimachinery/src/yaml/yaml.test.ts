import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DecodeError } from "../json/index.js";
import { createTypeRegistry } from "../schema/index.js";
import {
  decodeYaml,
  parseYaml,
  parseYamlDocuments,
  parseYamlInSteps,
  splitYamlDocuments,
  stringifyYaml,
} from "./index.js";

const recorded = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`testdata/${name}`, import.meta.url), "utf8")) as T[];

/** What `YAMLToJSON` and `YAMLToJSONStrict` of sigs.k8s.io/yaml v1.6.0 answered. */
describe("reading YAML as kubectl does", () => {
  for (const row of recorded<{ yaml: string; json?: string; error?: string; strict?: string }>("parse-answers.json")) {
    it(JSON.stringify(row.yaml), () => {
      if (row.json === undefined) {
        expect(() => parseYaml(row.yaml)).toThrow(DecodeError);
        // Errors of the grammar are worded by another parser; those of meaning must agree.
        if (!/did not find|not allowed|found/.test(row.error ?? ""))
          expect(() => parseYaml(row.yaml)).toThrow(row.error);
        return;
      }
      const { value, strictError } = parseYaml(row.yaml);
      expect(exactly(value)).toEqual(JSON.parse(row.json));
      expect(strictError).toBe(row.strict);
    });
  }
});

/** A bigint as JSON.parse would read it. */
const exactly = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? Number(member) : member)));

/** Where this dumper is right and go-yaml is not: it writes line separators raw, and a key `<<` that is read back as a merge. */
const better = (row: { json: string }): boolean => row.json.includes("\u2028") || row.json.includes('"<<":');

/** What `JSONToYAML` of sigs.k8s.io/yaml v1.6.0 answered. */
describe("writing YAML as kubectl does", () => {
  for (const row of recorded<{ json: string; yaml: string }>("dump-answers.json")) {
    it(row.json.slice(0, 100), () => {
      const written = stringifyYaml(JSON.parse(row.json));
      if (!better(row)) expect(written).toBe(row.yaml);
      expect(exactly(parseYaml(written).value)).toEqual(JSON.parse(row.json));
    });
  }
});

describe("streams of documents", () => {
  it("are cut at lines of dashes", () =>
    expect(splitYamlDocuments("a: 1\n--- # two\nb: |\n  x\n---\n---\n")).toEqual(["a: 1\n", "b: |\n  x\n"]));
  it("have nothing behind the dashes", () =>
    expect(() => splitYamlDocuments("--- a: 1\n")).toThrow("invalid Yaml document separator: a: 1"));
  it("empty documents are left out", () =>
    expect(parseYamlDocuments("# nothing\n---\na: 1\n---\n---\n- b").map(({ value }) => value)).toEqual([
      { a: 1 },
      ["b"],
    ]));
});

describe("a document of a type", () => {
  const thing = createTypeRegistry([
    "@t.v1\n=Thing\nkind s 1 o\napiVersion s 2 o\nreplicas *i 3 o\nlabels {}s 4 o\n",
  ]).get("t.v1.Thing");
  it("goes by way of JSON: a whole float is an integer", () =>
    expect(decodeYaml("replicas: 3.0\n", thing).object).toEqual({ replicas: 3 }));
  it("a number is no text", () =>
    expect(() => decodeYaml("labels: {a: 1}\n", thing)).toThrow(
      "json: cannot unmarshal number into Go struct field Thing.labels of type string",
    ));
  it("is checked strictly", () =>
    expect(decodeYaml("replicas: 1\nreplicas: 2\nfoo: 3\n", thing, { strict: true })).toEqual({
      object: { replicas: 2 },
      warnings: ['yaml: unmarshal errors:\n  line 2: key "replicas" already set in map', 'unknown field "foo"'],
    }));
});

describe("hostile documents", () => {
  const bomb = (levels: number): string =>
    Array.from(
      { length: levels },
      (_, level) =>
        `a${level}: &a${level} [${level === 0 ? "x" : Array.from({ length: 10 }, () => `*a${level - 1}`).join(",")}]`,
    ).join("\n");
  it("a few aliases are fine", () => expect(parseYaml(bomb(3)).value).toHaveProperty("a2"));
  it("an alias bomb is refused", () =>
    expect(() => parseYaml(bomb(9))).toThrow("yaml: document contains excessive aliasing"));
  it("merges count as well", () => {
    const lines = Array.from(
      { length: 12 },
      (_, level) =>
        `m${level}: &m${level} {${level === 0 ? "x: 1" : `<<: [${Array.from({ length: 10 }, () => `*m${level - 1}`).join(",")}]`}}`,
    );
    expect(() => parseYaml(lines.join("\n"))).toThrow("yaml: document contains excessive aliasing");
  });
  for (const [name, text] of Object.entries({
    flow: "[".repeat(100_000),
    block: "- ".repeat(100_000),
    maps: "{a: ".repeat(100_000),
    keys: "? ".repeat(100_000),
  })) {
    it(`deep ${name}`, () =>
      expect(() => parseYaml(text)).toThrow(/exceeded max depth|did not find|mapping values|deficient/));
  }
  it("wrong UTF-8", () =>
    expect(() => parseYaml(Uint8Array.of(0x61, 0x3a, 0x20, 0xff))).toThrow("yaml: invalid leading UTF-8 octet"));
  it("__proto__ is a key like any other", () => {
    const value = parseYaml("__proto__: {polluted: 1}\nx: &x {__proto__: {polluted: 2}}\nz: {<<: *x}\n")
      .value as Record<string, object>;
    expect(Object.keys(value)).toEqual(["__proto__", "x", "z"]);
    expect(Object.keys(value.z as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

it("many blank lines before a document are read in linear time", () =>
  expect(parseYaml(`${"\n".repeat(100_000)}---\na: 1\n`).value).toEqual({ a: 1 }));

it("a document of one long line is read in linear time", () => {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, "v"])));
  expect(Object.keys(parseYaml(text).value as object)).toHaveLength(100_000);
});

describe("long YAML is read in steps between which others run", () => {
  const rows = [
    { name: "empty items", text: "- \n".repeat(10_000) },
    { name: "empty items of a member", text: `a:\n${"- \n".repeat(10_000)}` },
    { name: "members", text: Array.from({ length: 10_000 }, (_, at) => `k${at}: v\n`).join("") },
  ];
  for (const { name, text } of rows)
    it(name, () => {
      let steps = 0;
      for (const reading = parseYamlInSteps(text); !reading.next().done; ) steps++;
      // Some 64 values each, in each of three passes: nodes, values, JSON.
      expect(steps).toBeGreaterThan(3 * 150);
    });
});
