import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.js";

const lists = ["a", "b"];

describe("arguments of the conformance command", () => {
  it("has defaults for all but the list", () => {
    expect(parseArguments(["a"], lists)).toEqual({
      list: "a",
      only: undefined,
      parts: undefined,
      retryFailed: false,
      fresh: false,
      procs: 2,
      nice: false,
      coxswain: undefined,
    });
  });

  it("replaces one of upstream's parts by ours where only that one is named", () => {
    expect(parseArguments(["a", "--controllers", "ours"], lists)).toMatchObject({
      parts: { apiserver: "upstream", controllers: "ours", scheduler: "upstream" },
    });
  });

  const wrong = [
    { name: "no list", argv: [], message: /name one list: a, b/ },
    { name: "a list that is not there", argv: ["c"], message: /name one list/ },
    { name: "two lists", argv: ["a", "b"], message: /name one list/ },
    { name: "another server", argv: ["a", "--apiserver", "theirs"], message: /ours or upstream/ },
    { name: "one process", argv: ["a", "--procs", "1"], message: /from 2 on/ },
    { name: "an unknown flag", argv: ["a", "--all"], message: /--all/ },
  ];
  for (const { name, argv, message } of wrong)
    it(`refuses ${name}`, () => expect(() => parseArguments(argv, lists)).toThrow(message));

  it("helps", () => expect(parseArguments(["--help"], lists)).toBe("help"));
});
