import { runProgram } from "@coxswain/tools/clients";
import { afterEach, describe, expect, it } from "vitest";
import { checkTypes } from "../operator/check-types.js";
import { type ProjectFolder, projectFolder, workspace } from "../operator/project-folder.test.support.js";
import { runApiCommand } from "./api-command.js";

const init = `init --domain example.com --name hotel --packages ${workspace}`;
const kind = "create kind --group rooms --version v1 --kind Booking";

describe("a scaffolded project of an API server", () => {
  const folders: ProjectFolder[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });
  const project = async (...lines: string[]): Promise<ProjectFolder> => {
    const folder = projectFolder({}, runApiCommand);
    folders.push(folder);
    for (const line of lines)
      expect({ line, ...(await folder.run(line)) }).toMatchObject({ line, code: 0, errors: [] });
    return folder;
  };

  it("compiles under strict with kinds and versions, and its tests pass", { timeout: 300_000 }, async () => {
    const folder = await project(
      init,
      kind,
      "create kind --group rooms --version v1 --kind Condition", // a name that the scaffold's own modules have
      "create kind --group rooms --version v2 --kind Booking",
    );
    folder.install();
    expect(await checkTypes(folder.directory)).toBeUndefined();
    const flags = ["run", "--reporter=json", "--no-isolate", "--maxWorkers=1"];
    const vitest = `${workspace}node_modules/vitest/vitest.mjs`;
    const { stdout } = await runProgram(process.execPath, [vitest, ...flags], { cwd: folder.directory });
    expect(JSON.parse(stdout)).toMatchObject({
      numFailedTests: 0,
      numPassedTestSuites: expect.any(Number),
      success: true,
    });
  });

  it("has types, behaviour, a test, a sample and its registration", async () => {
    const folder = await project(init);
    expect((await folder.run(kind)).output).toEqual(
      [
        "api/v1/booking.ts",
        "config/samples/rooms_v1_booking.yaml",
        "kinds/booking.ts",
        "kinds/booking.test.ts",
        "groups.ts",
        "api/definitions.ts",
        "config/apiservices.yaml",
      ].map((path) => `wrote ${path}`),
    );
    expect(folder.read("groups.ts")).toContain("  bookingKind,\n  // +coxswain:kinds\n");
    expect(folder.read("config/apiservices.yaml")).toContain("name: v1.rooms.example.com\n");
    expect((await folder.run("generate")).output).toEqual(["nothing changed"]);
  });

  it("a further version is a copy that is converted, and registered first if clients prefer it", async () => {
    const folder = await project(init, kind, "create kind --group rooms --version v2 --kind Booking");
    expect(folder.read("api/v1/booking.ts")).toContain(" * @storageVersion\n");
    expect(folder.read("api/v2/booking.ts")).not.toContain("@storageVersion");
    expect(folder.read("kinds/booking.ts")).toContain("    v2: { toHub:");
    expect(folder.read("kinds/booking.test.ts")).toContain('    "v2",\n');
    const priorities = folder.read("config/apiservices.yaml").match(/version: v\d|versionPriority: \d+/g);
    expect(priorities).toEqual(["version: v2", "versionPriority: 15", "version: v1", "versionPriority: 14"]);
  });

  it("its certificate is for its Service, and its authority is what API servers in front trust", async () => {
    const folder = await project(init, kind, "certificates");
    expect(folder.read("config/certificate.yaml")).toContain("name: hotel-certificate\n");
    const authority = Buffer.from(folder.read("pki/ca.crt")).toString("base64");
    expect(folder.read("config/apiservices.yaml").replace(/[\s>-]/g, "")).toContain(authority.replace(/[\s>-]/g, ""));
    expect(folder.read(".gitignore")).toMatch(/pki\/\nconfig\/certificate.yaml/);
    expect((await folder.run("certificates")).output).toEqual(["nothing changed"]);
  });

  it("nothing of the user's is written over", async () => {
    const folder = await project(init, kind);
    for (const [line, named] of [
      [init, "package.json, tsconfig"],
      [kind, "api/v1/booking.ts"],
    ] as const)
      expect(await folder.run(line)).toMatchObject({ code: 1, errors: [expect.stringContaining(named)] });
  });

  it("an error in a type names file and line, and nothing is written", async () => {
    const folder = await project(init, kind);
    const before = folder.read("api/definitions.ts");
    folder.write("api/v1/booking.ts", `${folder.read("api/v1/booking.ts")}/** @nonsense */\nexport type A = number;\n`);
    expect(await folder.run("generate")).toMatchObject({ code: 1, errors: [expect.stringContaining("booking.ts:")] });
    expect(folder.read("api/definitions.ts")).toBe(before);
  });

  it("where groups.ts has lost its marks, what to add is printed", async () => {
    const folder = await project(init);
    folder.write("groups.ts", "export {};\n");
    expect((await folder.run(kind)).output).toContain(
      'groups.ts has no "// +coxswain:" lines: add bookingKind of ./kinds/booking.js there',
    );
  });

  it("a folder that is no project gets no kind", async () =>
    expect(await (await project()).run(kind)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining("is no API server's project")],
    }));
});
