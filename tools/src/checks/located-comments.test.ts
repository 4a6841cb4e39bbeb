import { expect, it } from "vitest";
import { checkLocatedComments } from "./located-comments.js";

const check = (text: string, { name = "kubelet", isTest = false } = {}): string[] =>
  checkLocatedComments({ path: `packages/${name}/src/a.ts`, package: name, isTest, text });
const problem = (line: number): string =>
  `packages/kubelet/src/a.ts:${line} has something "as upstream" and not where: add its file and function (pkg/kubelet/prober/worker.go, doProbe).`;

const cases = [
  { name: "a comment without a place", text: "let a;\n/** Text, as upstream's. */\nlet b;", problems: [problem(2)] },
  { name: "its line is that of the words", text: "/**\n * Text.\n * As upstream has it.\n */", problems: [problem(3)] },
  { name: "a place in it", text: "/** As upstream (pkg/kubelet/prober/worker.go, doProbe). */", problems: [] },
  {
    name: "a place in a later line",
    text: "// As upstream has it\n// (k8s.io/utils/net, ParseIP).\nlet b;",
    problems: [],
  },
  {
    name: "a place in the next comment does not count",
    text: "// As upstream.\nlet b; // pkg/a.go",
    problems: [problem(1)],
  },
  { name: "code is not looked at", text: 'const text = "as upstream";', problems: [] },
];
for (const { name, text, problems } of cases) it(name, () => expect(check(text)).toEqual(problems));

it("tests and tools may leave it out", () => {
  expect(check("// As upstream.", { isTest: true })).toEqual([]);
  expect(check("// As upstream.", { name: "tools" })).toEqual([]);
});
