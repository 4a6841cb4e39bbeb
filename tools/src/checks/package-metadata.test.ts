import { describe, expect, it } from "vitest";
import { checkPackageMetadata } from "./package-metadata.js";

const good = {
  name: "@coxswain/sails",
  version: "0.1.0",
  description: "Sails for a small, fast boat.",
  license: "Apache-2.0",
  repository: { type: "git", url: "git+https://git.example.com/coxswain.git", directory: "packages/sails" },
  engines: { node: ">=20.19" },
  files: ["dist", "src", "NOTICE"],
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
};
const goodReadme = "# @coxswain/sails\n\n```ts\nhoist();\n```\n";
const versions = new Map([["@coxswain/mast", "0.1.0"]]);
const check = (change: object, readme: string | undefined = goodReadme): string[] =>
  checkPackageMetadata({ folder: "sails", json: { ...good, ...change } }, { readme, versions });

describe("metadata of packages", () => {
  it("a complete package has no gaps", () =>
    expect(check({ dependencies: { "@coxswain/mast": "0.1.0" } })).toEqual([]));

  const gaps: [name: string, change: object, message: string][] = [
    ["no description", { description: undefined }, "write a sentence"],
    ["another folder's repository", { repository: { ...good.repository, directory: "." } }, "repository must be"],
    ["maps without sources", { files: ["dist", "NOTICE"] }, "source maps and declaration maps refer to src"],
    ["an install script", { scripts: { postinstall: "node build.js" } }, "installing runs nothing"],
    ["another version of a package of ours", { dependencies: { "@coxswain/mast": "0.2.0" } }, "is 0.1.0, not 0.2.0"],
    ["a private package", { dependencies: { "@coxswain/tools": "0.1.0" } }, "a user cannot install it"],
    ["a native module", { dependencies: { lmdb: "3.5.6" } }, "make it an optional peer"],
    ["a peer that npm would install", { peerDependencies: { lmdb: "3.5.6" } }, "must be optional"],
    ["an export without types", { exports: { ".": { default: "./dist/index.js" } } }, "needs types and default"],
  ];
  for (const [name, change, message] of gaps)
    it(`${name} is a gap`, () => expect(check(change)).toEqual([expect.stringContaining(message)]));

  it("a README without a start, or with a long one, is a gap", () => {
    expect(check({}, "# @coxswain/sails\n")).toEqual([expect.stringContaining("needs a start")]);
    expect(check({}, `# @coxswain/sails\n\`\`\`ts\n${"hoist();\n".repeat(20)}\`\`\`\n`)).toEqual([
      expect.stringContaining("more than 16 lines"),
    ]);
  });
});
