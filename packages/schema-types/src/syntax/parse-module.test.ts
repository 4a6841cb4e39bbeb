import { describe, expect, it } from "vitest";
import { parseModule } from "./parse-module.js";
import type { TypeNode } from "./type-node.js";

/** A type as short text, so that a row fits on a line. */
function shown(type: TypeNode): string {
  switch (type.is) {
    case "keyword":
      return type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "reference":
      return type.name + (type.arguments.length > 0 ? `<${type.arguments.map(shown).join(",")}>` : "");
    case "array":
      return `${shown(type.element)}[]`;
    case "tuple":
      return `[${type.elements.map(shown).join(",")}]`;
    case "object":
      return `{${[...type.members.map((m) => `${m.name}${m.optional ? "?" : ""}:${shown(m.type)}`), ...(type.index ? [`*:${shown(type.index)}`] : [])].join(";")}}`;
    case "mapped":
      return `{${type.parameter} in ${shown(type.over)}${type.optional ? "?" : ""}:${shown(type.value)}}`;
    case "union":
    case "intersection":
      return `(${type.types.map(shown).join(type.is === "union" ? "|" : "&")})`;
    case "indexed":
      return `${shown(type.object)}[${shown(type.index)}]`;
    case "keyof":
      return `keyof ${shown(type.of)}`;
    case "unsupported":
      return `!${type.what}`;
  }
}

const typeOf = (text: string): string =>
  shown(parseModule({ path: "a.ts", text: `type T = ${text};` }).declarations.get("T")!.type);

describe("types as they are written", () => {
  const cases: [name: string, text: string, type: string][] = [
    ["keywords", "string | number | null", "(string|number|null)"],
    ["a leading bar", '\n | "a"\n | "b"', '("a"|"b")'],
    ["negative and separated numbers", "-1 | 1_000", "(-1|1000)"],
    ["intersections bind more strongly than unions", "A & B | C", "((A&B)|C)"],
    ["lists in each form", "readonly string[] | Array<number>", "(string[]|Array<number>)"],
    ["indexed access", 'Pod["spec"]["containers"][]', 'Pod["spec"]["containers"][]'],
    ["members with quotes, marks and commas", '{ readonly "a-b"?: string, c: { d: 1 } }', "{a-b?:string;c:{d:1}}"],
    ["a member named readonly or type", "{ readonly: boolean; type: string }", "{readonly:boolean;type:string}"],
    ["an index signature", "{ [name: string]: number }", "{*:number}"],
    ["a mapped type", '{ readonly [K in "a" | "b"]?: K }', '{K in ("a"|"b")?:K}'],
    ["qualified names with arguments", "core.Map<string, A<B>>", "core.Map<string,A<B>>"],
    ["parentheses", "(A | B)[]", "(A|B)[]"],
    ["a function", "(a: string, b?: number) => void", "!a function type"],
    ["a method", "{ run(a: string): void }", "{run:!a method}"],
    ["a conditional type", "A extends B ? C : D", "!a conditional type"],
    ["a template", "`a${B}`", "!a template literal type"],
  ];
  for (const [name, text, type] of cases) it(name, () => expect(typeOf(text)).toBe(type));
});

describe("files", () => {
  it("declarations are found among code that is stepped over", () => {
    const text = `#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import type { Pod, PodSpec as Spec } from "@coxswain/api/core/v1";
import * as meta from "@coxswain/api/meta/v1";
import defaults, { type Other } from "./other.js";
const pattern = /[{"'\`]/g, text = \`\${\`nested }\`} {\`;
export const list = ["a", "b"] as const;
export function f<T extends { a: string }>(x: T): T { if (x) { return x } return x / 2 / 1 as never }
/** A video. */
export interface Video<S = string> extends Base, meta.Object<S> { spec: S }
export default class C { type = 1; interface = 2 }
declare global { interface Window { x: 1 } }
export type { Nested } from "./nested.js";
export * from "./all.js";
export { Video as Film };
export enum Phase { Ready = "Ready", Failed = "Failed" }
interface Video<S> { status?: S }
`;
    const module = parseModule({ path: "video.ts", text });
    expect([...module.declarations.keys()]).toEqual(["Video", "Phase"]);
    const video = module.declarations.get("Video")!;
    expect(video.doc?.text).toBe("A video.");
    expect(video.extends.map(shown)).toEqual(["Base", "meta.Object<S>"]);
    expect(shown(video.type)).toBe("{spec:S;status?:S}");
    expect(shown(module.declarations.get("Phase")!.type)).toBe('("Ready"|"Failed")');
    expect(module.imports.get("Spec")).toMatchObject({ from: "@coxswain/api/core/v1", name: "PodSpec" });
    expect(module.imports.get("meta")).toMatchObject({ name: "*" });
    expect(module.imports.get("Other")).toMatchObject({ from: "./other.js", name: "Other" });
    expect([...module.reexports].map(([name, { from }]) => [name, from])).toEqual([
      ["Nested", "./nested.js"],
      ["Film", ""],
    ]);
    expect(module.exportsAll.map(({ from }) => from)).toEqual(["./all.js"]);
  });

  const broken: [name: string, text: string, message: string][] = [
    ["a missing type", "type A = ;", 'a.ts:1:10: a type is expected here, not ";"'],
    ["braces without end", "interface A {\n  a: string\n", 'a.ts:3:1: a member\'s name is expected here, not ""'],
    [
      "a computed member",
      "interface A {\n  [Symbol.iterator]: string }",
      "a.ts:2:3: only members with a plain name can be in an API's types",
    ],
    ["a comment without end", "/* a", "a.ts:1:1: this comment has no end"],
  ];
  for (const [name, text, message] of broken)
    it(`${name} is an error with its place`, () => expect(() => parseModule({ path: "a.ts", text })).toThrow(message));
});
