import { describe, expect, it } from "vitest";
import { coxswainCalls } from "./coxswain-flags.js";
import { decide } from "./decide.js";
import { commandsOf, readBlocks } from "./read-blocks.js";

const page = "docs/a.md";
const markdown = "Words.\n\n```sh\na\nb \\\n  c\n```\n\n```console\n$ d\noutput\n```\n";

describe("blocks of pages", () => {
  it("are read with language and line", () =>
    expect(readBlocks(page, markdown)).toEqual([
      { page, language: "sh", text: "a\nb \\\n  c\n", line: 3 },
      { page, language: "console", text: "$ d\noutput\n", line: 9 },
    ]));

  it("hold command lines, behind a prompt in a console", () =>
    expect(readBlocks(page, markdown).map(commandsOf)).toEqual([["a", "b    c"], ["d"]]));

  it("without a decision are named, and so are decisions without a block", () =>
    expect(
      decide(readBlocks(page, markdown), { [page]: { "$ d": { do: "type" }, gone: { do: "type" } } }).problems,
    ).toEqual([
      "docs/a.md:3 has a block that nothing tests: add it to tools/src/pages/block-table.ts",
      'docs/a.md has no block that begins with "gone"',
    ]));

  const calls: [line: string, found: object[]][] = [
    ["coxswain up --nodes 3 # coxswain down --x", [{ words: ["up"], flags: ["--nodes"] }]],
    ["coxswain operator create api --kind A", [{ words: ["operator", "create", "api"], flags: ["--kind"] }]],
    ["helm template a | coxswain check - --crds b", [{ words: ["check"], flags: ["--crds"] }]],
    ["coxswain operator run -- --leader-elect", [{ words: ["operator", "run"], flags: [] }]],
    ["kubectl get pods --watch", []],
  ];
  for (const [line, found] of calls)
    it(`calls of the command in: ${line}`, () => expect(coxswainCalls(line)).toEqual(found));
});
