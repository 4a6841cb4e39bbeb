import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileNameOf } from "../../project/kind-names.js";
import { checkTypes } from "../check-types.js";
import { projectFolder } from "../project-folder.test.support.js";

/** Kinds with names that scaffolded modules use themselves, or that the language or the platform has. */
const kinds: [kind: string, why: string][] = [
  ["Manager", "every controller imports it"],
  ["Client", "of the library"],
  ["Controller", "of the library"],
  ["Result", "of the library"],
  ["Cluster", "of the library"],
  ["Reconciler", "of the library"],
  ["Request", "of the library and of the platform"],
  ["Condition", "types import it, and controllers have a variable called conditions"],
  ["CustomResource", "types extend it"],
  ["CustomResourceDefinition", "tests import it"],
  ["URL", "tests make one"],
  ["Object", "tests have a variable called objects"],
  ["Promise", "of the language"],
  ["Error", "of the language"],
  ["Class", "a word of the language in small letters"],
  ["Default", "a word of the language in small letters"],
  ["Thi", "its plural is the word this"],
  ["Time", "a type with a schema of its own"],
  ["ObjectMeta", "a type with a schema of its own"],
  ["Spec", "ends as the names of its parts do"],
];

describe("a kind with a name that is in use", { timeout: 300_000 }, () => {
  const folder = projectFolder();
  let problems = "";
  beforeAll(async () => {
    const run = async (line: string): Promise<void> =>
      expect({ line, ...(await folder.run(line)) }).toMatchObject({ line, code: 0, errors: [] });
    await run("init --domain example.com --name names");
    for (const [kind] of kinds) {
      const facts = `--group media --version v1 --kind ${kind}`;
      await run(`create api ${facts}`);
      await run(`create webhook ${facts} --defaulting --programmatic-validation`);
    }
    await run("create api --group media --version v2 --kind Manager");
    await run("create webhook --group media --version v1 --kind Manager --conversion --spoke v2");
    await run("create api --group media --version v2 --kind Thi");
    await run("create webhook --group media --version v1 --kind Thi --conversion --spoke v2");
    folder.install();
    problems = (await checkTypes(folder.directory)) ?? "";
  }, 300_000);
  afterAll(() => folder.remove());

  for (const [kind, why] of kinds)
    it(`${kind} compiles (${why})`, () => {
      const own = new RegExp(`/${fileNameOf(kind)}(-\\w+)?(\\.test)?\\.ts\\(`);
      expect(problems.split("\n").filter((line) => own.test(line))).toEqual([]);
    });
  it("nothing else has problems either", () => expect(problems).toBe(""));
  it("a name that is free stays as it is", () => {
    const test = folder.read("controllers/client-controller.test.ts");
    expect(test).toContain('import type { Client } from "../api/v1/client.js";');
    expect(folder.read("webhooks/v1/manager-defaulting.ts")).toContain("import type { Manager as ManagerKind }");
    expect(folder.read("api/v1/resources.ts")).toContain("export const thisResource = defineResource<Thi>");
  });
});
