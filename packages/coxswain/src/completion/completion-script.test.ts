import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { completionScript } from "./completion-script.js";

const commands = [
  { name: "up", summary: "Starts a cluster: it's here.", flags: ["data-dir", "name"] },
  { name: "completion", summary: "Prints completion.", flags: [] },
  {
    name: "operator",
    summary: "Makes operators.",
    flags: [],
    subcommands: [
      { name: "create api", summary: "Adds a kind.", flags: ["group", "kind"] },
      { name: "create webhook", summary: "Adds webhooks.", flags: ["group", "defaulting"] },
      { name: "run", summary: "Runs it.", flags: ["name", "watch"] },
    ],
  },
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
    { name: "the next word is a subcommand", words: ["coxswain", "operator", '""'], becomes: "create run" },
    {
      name: "a subcommand of two words is completed word by word",
      words: ["coxswain", "operator", "create", "w"],
      becomes: "webhook",
    },
    {
      name: "then come the flags of the subcommand",
      words: ["coxswain", "operator", "create", "webhook", "--d"],
      becomes: "--defaulting",
    },
    {
      name: "flags come also behind other flags",
      words: ["coxswain", "operator", "run", "--name", "a", "--w"],
      becomes: "--watch",
    },
    { name: "a command without flags completes nothing", words: ["coxswain", "completion", "--d"], becomes: "" },
  ];
  for (const { name, words, becomes } of cases) it(`bash: ${name}`, () => expect(complete(...words)).toBe(becomes));

  it("zsh: commands have their summaries, quoted", () =>
    expect(completionScript("zsh", commands)).toContain(String.raw`'up:Starts a cluster: it'\''s here.'`));

  it("zsh: subcommands follow their command", () =>
    expect(completionScript("zsh", commands)).toContain(
      "'operator create')\n      commands=('api:Adds a kind.' 'webhook:Adds webhooks.')",
    ));

  it("fish: a line per command, subcommand and flag", () => {
    const lines = completionScript("fish", commands).trim().split("\n");
    // Three commands, the words create, api, webhook and run, eight flags.
    expect(lines).toHaveLength(3 + 4 + 8);
    expect(lines).toContain(
      "complete -c coxswain -n '__fish_seen_subcommand_from operator; and __fish_seen_subcommand_from create; and __fish_seen_subcommand_from webhook' -l defaulting",
    );
  });
});
