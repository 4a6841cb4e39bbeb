import { expect, it } from "vitest";
import { findIn, readTutorial, sectionOf, shows } from "./read-tutorial.js";

const page = (...blocks: string[]): string => blocks.map((block) => `Words.\n\n${block}\n\`\`\`\n`).join("\n");

it("blocks are what is typed, written and seen, in their order", () => {
  const steps = readTutorial(
    page(
      "```sh cluster\nup",
      "```ts api/a.ts\nexport {};",
      "```sh fails\nfalse",
      "```text\nno",
      "```sh second-terminal\nrun",
    ),
  );
  const command = { do: "type", terminal: "first", isAboutCluster: false, fails: false };
  expect(steps).toEqual([
    { ...command, commands: "up\n", isAboutCluster: true, line: 3 },
    { do: "write", path: "api/a.ts", text: "export {};\n", line: 9 },
    { ...command, commands: "false\n", fails: true, line: 15 },
    { do: "see", text: "no\n", terminal: "first", line: 21 },
    { ...command, commands: "run\n", terminal: "second", line: 27 },
  ]);
});

const wrong: [name: string, text: string, message: string][] = [
  ["a file without a path", "```ts\nexport {};\n```", "line 1: a block of ts needs the path of its file"],
  ["a misspelt word", "```sh secondterminal\nrun\n```", '"secondterminal" is nothing to do'],
  ["a block without an end", "```sh\nrun\n", "has no end"],
];
for (const [name, text, message] of wrong)
  it(`${name} is an error`, () => expect(() => readTutorial(text)).toThrow(message));

it("a terminal shows a text where … stands for anything", () => {
  expect(shows("NAME   AGE\na      3s  \n", "NAME   AGE\na      …")).toBe(true);
  expect(shows("NAME   AGE\nb      3s\n", "NAME   AGE\na      …")).toBe(false);
  expect(shows("first\nlast\n", "last")).toBe(false);
  expect(shows("(1) a.b", "(1) a.b")).toBe(true);
  expect(shows("(1) a+b", "(1) a.b")).toBe(false);
});

it("lines are found in a log, others in between", () => {
  const log = "applied (1 ms)\nINFO starting\nruns (3 ms)\nmore\n";
  expect(findIn(log, "applied (…)\nruns (…)\n")).toBe(log.indexOf("\nmore"));
  expect(findIn(log, "runs (… ms)")).toBe(log.indexOf("\nmore"));
  expect(findIn(log, "runs (…)\napplied (…)")).toBeUndefined();
  expect(findIn("started\nruns", "runs")).toBeUndefined(); // the line may go on
});

it("one section of a page is read, with its lines where they are", () => {
  const text = "# Page\n```yaml\na: 1\n```\n## Two\n```sh\nrun\n```\n## Three\n```yaml\nb: 1\n```\n";
  expect(readTutorial(sectionOf(text, "Two")).map(({ line }) => line)).toEqual([6]);
  expect(() => sectionOf(text, "Four")).toThrow('no section "Four"');
});
