import { describe, expect, it } from "vitest";
import { Budget } from "../budget.js";
import { compileTemplate } from "./render.js";
import { isStageFunction, stageFunctions } from "./stage-functions.js";

const functions = stageFunctions({
  now: () => Date.UTC(2026, 0, 1, 0, 0, 0, 250),
  startTime: 0,
  version: "v1",
  nodeIPsOf: (name) => [`ip-of-${name}`, "::1"],
});
const limits = { steps: 50_000, depth: 100, bytes: 256 * 1024 };
const render = (source: string, data: unknown = {}): string =>
  compileTemplate(source, isStageFunction).render(data, functions, new Budget(limits));

// What Go's text/template prints for each, by its documentation and source.
const cases: { name: string; source: string; data?: unknown; text: string }[] = [
  { name: "text stands as it is", source: "a { b }", text: "a { b }" },
  { name: "members of members", source: "{{ .a.b }}", data: { a: { b: 1 } }, text: "1" },
  { name: "a missing member", source: "{{ .a.b.c }}", text: "<no value>" },
  { name: "space is trimmed around marked actions", source: "a \n{{- 1 -}}\n b", text: "a1b" },
  { name: "comments write nothing", source: "a{{/* no */}}b", text: "ab" },
  { name: "raw and quoted strings", source: '{{ `"x"` }}{{ "a\\n" }}', text: '"x"a\n' },
  { name: "a pipe gives its value as the last argument", source: '{{ "x" | printf "%s-%s" "y" }}', text: "y-x" },
  {
    name: "parentheses group, and have members",
    source: "{{ (index .list 1).name }}",
    data: { list: [{}, { name: "b" }] },
    text: "b",
  },
  {
    name: "variables are assigned and seen in inner blocks",
    source: "{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}",
    text: "2",
  },
  {
    name: "a variable declared in a block hides the outer one",
    source: "{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}",
    text: "21",
  },
  {
    name: "the root is seen inside a range",
    source: "{{ range .l }}{{ $.n }}{{ . }} {{ end }}",
    data: { l: [1, 2], n: "n" },
    text: "n1 n2 ",
  },
  {
    name: "range with index and element",
    source: "{{ range $i, $e := .l }}{{ $i }}={{ $e }};{{ end }}",
    data: { l: ["a", "b"] },
    text: "0=a;1=b;",
  },
  {
    name: "range over a map is in order of keys",
    source: "{{ range $k, $v := .m }}{{ $k }}{{ $v }}{{ end }}",
    data: { m: { b: 2, a: 1 } },
    text: "a1b2",
  },
  { name: "range over nothing takes the else", source: "{{ range .none }}x{{ else }}y{{ end }}", text: "y" },
  {
    name: "break and continue",
    source: "{{ range .l }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ if eq . 3 }}{{ break }}{{ end }}{{ . }}{{ end }}",
    data: { l: [1, 2, 3, 4] },
    text: "2",
  },
  {
    name: "else if",
    source: '{{ if eq .a "x" }}1{{ else if eq .a "y" }}2{{ else }}3{{ end }}',
    data: { a: "y" },
    text: "2",
  },
  {
    name: "with sets the dot, and has an else",
    source: "{{ with .a }}{{ .b }}{{ else }}none{{ end }}{{ with .z }}x{{ else }}none{{ end }}",
    data: { a: { b: 1 } },
    text: "1none",
  },
  { name: "or gives the first that is not empty", source: '{{ or .a "" 0 "d" }}', text: "d" },
  { name: "or does not look at what comes after", source: '{{ or "a" (index .none 1) }}', text: "a" },
  { name: "and gives the first that is empty", source: '{{ and "a" "" "b" }}|', text: "|" },
  { name: "a missing value equals nothing", source: '{{ eq .a "x" }}', text: "false" },
  { name: "a missing key of a map", source: '{{ or (index .m "x") "y" }}', data: { m: {} }, text: "y" },
  {
    name: "maps and lists print as in Go",
    source: "{{ .m }}",
    data: { m: { b: [1, "x"], a: null } },
    text: "map[a:<nil> b:[1 x]]",
  },
  {
    name: "Quote keeps strings, and quotes the JSON of others",
    source: "{{ Quote .s }} {{ 1 | Quote }} {{ Quote .none }}",
    data: { s: 'a"b' },
    text: '"a\\"b" "1" "null"',
  },
  { name: "Now has as many digits as it needs", source: "{{ Now }}", text: "2026-01-01T00:00:00.25Z" },
  {
    name: "YAML with a depth begins on a new line",
    source: "a:{{ YAML .m 1 }}",
    data: { m: { k: 1, l: ["z"] } },
    text: "a:\n  k: 1\n  l:\n  - z\n  ",
  },
  {
    name: "addresses of a node",
    source: '{{ NodeIPWith "n" }} {{ range NodeIPsWith "n" }}{{ . }},{{ end }}',
    text: "ip-of-n ip-of-n,::1,",
  },
  {
    name: "Sprig's functions",
    source: '{{ list "a" "b" | join "-" | upper }} {{ default "x" "" }} {{ dict "k" 1 }} {{ add 1 2 }}',
    text: "A-B x map[k:1] 3",
  },
];

const failures: { name: string; source: string; data?: unknown; message: string }[] = [
  { name: "an unknown function", source: "a\n{{ uuidv4 }}", message: 'line 2: function "uuidv4" is not supported' },
  { name: "an undefined variable", source: "{{ $x }}", message: 'line 1: undefined variable "$x"' },
  { name: "templates in templates", source: '{{ template "x" }}', message: "line 1: {{template}} is not supported" },
  {
    name: "a missing end",
    source: "{{ if true }}",
    message: "line 1: unexpected end of the template: an {{end}} is missing",
  },
  { name: "an end too many", source: "{{ end }}", message: "line 1: unexpected {{end}}" },
  { name: "an action that is not closed", source: "{{ .a ", message: "line 1: unclosed action" },
  {
    name: "an argument for what is no function",
    source: "{{ .a .b }}",
    message: "line 1: can't give argument to non-function",
  },
  {
    name: "a member of a null",
    source: "\n{{ .a.b }}",
    data: { a: null },
    message: "line 2: nil pointer evaluating interface {}.b",
  },
  {
    name: "an index beyond the list",
    source: "{{ index .l 3 }}",
    data: { l: [] },
    message: "line 1: error calling index: index out of range: 3",
  },
  {
    name: "an index of nothing",
    source: "{{ index .l 3 }}",
    message: "line 1: error calling index: index of untyped nil",
  },
  {
    name: "values of different kinds",
    source: '{{ eq 1 "1" }}',
    message: "line 1: error calling eq: incompatible types for comparison",
  },
  {
    name: "a function of the other kind of object",
    source: "{{ NodePort }}",
    message: 'line 1: function "NodePort" is not there for this kind of object',
  },
];

describe("Go's templates", () => {
  for (const { name, source, data, text } of cases) it(name, () => expect(render(source, data)).toBe(text));
});
describe("Go's templates refuse", () => {
  for (const { name, source, data, message } of failures)
    it(name, () => expect(() => render(source, data)).toThrow(expect.objectContaining({ message })));
});

const doubled = (times: number, action: string): string => Array.from({ length: times }, () => action).join("");
const hostile: { name: string; source: string; message: string }[] = [
  {
    name: "ranges in ranges",
    source: "{{ range 1000 }}{{ range 1000 }}{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}{{ end }}{{ end }}",
    message: "it takes more than 50000 steps",
  },
  {
    name: "a range without end",
    source: "{{ range 1000000000000 }}{{ end }}",
    message: "it takes more than 50000 steps",
  },
  {
    name: "much output",
    source: `{{ range 1000 }}${"x".repeat(1000)}{{ end }}`,
    message: "it needs more than 262144 bytes of memory",
  },
  {
    name: "a text that doubles",
    source: `{{ $x := "xxxxxxxx" }}${doubled(60, '{{ $x = printf "%s%s" $x $x }}')}`,
    message: "it takes more than 50000 steps",
  },
  {
    name: "lists that hold lists twice",
    source: `{{ $x := list 1 }}${doubled(60, "{{ $x = list $x $x }}")}{{ $x }}`,
    message: "it takes more than 50000 steps",
  },
  {
    name: "lists that hold lists twice, as YAML",
    source: `{{ $x := list 1 }}${doubled(60, "{{ $x = list $x $x }}")}{{ YAML $x }}`,
    message: "it takes more than 50000 steps",
  },
  {
    name: "lists in lists",
    source: "{{ $x := list 1 }}{{ range 2000 }}{{ $x = list $x }}{{ end }}{{ toJson $x }}",
    message: "it is nested more than 100 levels deep",
  },
  {
    name: "a wide margin",
    source: `{{ indent 1000 "${"\\n".repeat(5000)}" }}`,
    message: "the text is longer than 262144 characters",
  },
  {
    name: "YAML a billion levels deep",
    source: "{{ YAML . 1000000000 }}",
    message: "the text is longer than 262144 characters",
  },
  {
    name: "a long text in place of many short ones",
    source: `{{ $x := "${"x".repeat(5000)}" }}{{ replace "x" $x $x }}`,
    message: "the text is longer than 262144 characters",
  },
  {
    name: "parentheses in parentheses",
    source: `{{ ${"(".repeat(5000)}1${")".repeat(5000)} }}`,
    message: "it is nested more than 100 levels deep",
  },
  {
    name: "conditions in conditions",
    source: "{{ if true }}".repeat(5000),
    message: "it is nested more than 100 levels deep",
  },
  {
    name: "many variables",
    source: Array.from({ length: 2000 }, (_, i) => `{{ $x${i} := 1 }}`).join(""),
    message: "there are more than 1000 variables",
  },
  { name: "a long template", source: "x".repeat(300_000), message: "the template is longer than 262144 characters" },
];
describe("templates have a budget that refuses", () => {
  for (const { name, source, message } of hostile) it(name, () => expect(() => render(source, {})).toThrow(message));
});
