import { describe, expect, it } from "vitest";
import { checkPlainWords } from "./plain-words.js";

const check = (text: string, path = "packages/storage/src/a.ts"): string[] => checkPlainWords({ path, text });

describe("plain words", () => {
  const refused = [
    ["a comment", "/** Is told when it changes. */"],
    ["a name", "const tellWatchers = () => {};"],
    ["a test title", 'it("says why", () => {});'],
    ["at the beginning of a sentence", "// Whoever waits for it."],
    ["a metaphor", "// In company a queue is shorter."],
    ["the end of a connection", "// The server's farewell."],
    ["metrics", "const cacheMeter = createReloads();"],
    ["an impersonation request", "function readWish() {}"],
    ["a requested version", "const spoken = version ?? kind;"],
    ["a union of authorizers", "interface Inquiry {}"],
    ["values of another server", "readForeignValues(store);"],
    ["field errors", "const complaints = check(spec);"],
    ["a repair", "// Is mended by the next write."],
    ["a controller", "startKeepers(deps);"],
    ["hooks of a write", "const noCompanions = {};"],
  ] as const;
  for (const [name, text] of refused) it(`are asked for: ${name}`, () => expect(check(text)).toHaveLength(1));

  const fine = [
    ["usual terms", "/** Notifies watchers; logs why it failed. The rate limiter allows ten a second. */"],
    ["words that contain one of them", "// tellurium, essays, accompany, beards"],
    ["a third party", "// a third-party library"],
    ["words that end as one of them", "const parameters = recommended(trimEnd(diameter));"],
    ["the surface of a client's discovery", "interface ApiSurface {}"],
  ] as const;
  for (const [name, text] of fine) it(`are fine: ${name}`, () => expect(check(text)).toEqual([]));

  it("the sentence names place, word and better words", () =>
    expect(check("a\n// it hears that", "docs/a.md")).toEqual([
      'docs/a.md:2 has the word "hears": write receives, observes or is called.',
    ]));
  it("a word may be refused in one package alone", () =>
    expect(check("interface ApiSurface {}", "packages/apiserver/src/a.ts")).toHaveLength(1));
  it("an exception is for one text in one file", () => {
    expect(check('method("/example.Echo/Say")', "packages/wire/README.md")).toEqual([]);
    expect(check('method("/example.Echo/Say")', "packages/wire/src/a.ts")).toHaveLength(1);
  });
});
