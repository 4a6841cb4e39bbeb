import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { completionScript } from "./completion-script.js";

const commands = [
  { name: "up", summary: "Starts a cluster: it's here.", flags: ["data-dir", "name"] },
  { name: "completion", summary: "Prints completion.", flags: [] },
];

describe("completion", () => {
  const complete = (...words: string[]): string =>
    spawnSync("bash", [
      "-c",
      `${completionScript("bash", commands)}
COMP_WORDS=(${words.join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _coxswain; echo "\${COMPREPLY[*]}"`,
    ])
      .stdout.toString()
      .trim();
  const cases = [
    { name: "the first word is a command", words: ["coxswain", "u"], becomes: "up" },
    { name: "later words are flags of the command", words: ["coxswain", "up", "--d"], becomes: "--data-dir" },
    { name: "a command without flags completes nothing", words: ["coxswain", "completion", "--d"], becomes: "" },
  ];
  for (const { name, words, becomes } of cases) it(`bash: ${name}`, () => expect(complete(...words)).toBe(becomes));

  it("zsh: commands have their summaries, quoted", () =>
    expect(completionScript("zsh", commands)).toContain(String.raw`'up:Starts a cluster: it'\''s here.'`));

  it("fish: a line per command and per flag", () =>
    expect(completionScript("fish", commands).trim().split("\n")).toHaveLength(4));
});
