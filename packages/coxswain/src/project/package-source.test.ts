import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { workspace } from "../operator/project-folder.test.support.js";
import { dependenciesOn, furtherDependencies, namedSource, ownSource } from "./package-source.js";

describe("where a project's packages come from", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-source-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const clone = workspace.replace(/\/$/, "");

  it("a command of a clone: the clone's packages, as links", () => {
    const source = ownSource(join(clone, "packages/coxswain/bin/coxswain.js"));
    expect(source).toEqual({ kind: "clone", folder: clone });
    expect(dependenciesOn(source, ["api", "coxswain"])).toEqual({
      "@coxswain/api": `file:${clone}/packages/api`,
      coxswain: `file:${clone}/packages/coxswain`,
    });
    expect(furtherDependencies(source, ["api"])).toEqual({});
  });

  it("a command elsewhere: the registry", () =>
    expect(dependenciesOn(ownSource(join(folder, "bin/coxswain")), ["api"])).toEqual({
      "@coxswain/api": expect.stringMatching(/^\d/),
    }));

  it("a command that npm installed from a tarball: the tarballs there", () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "node_modules/coxswain/bin"), { recursive: true });
    mkdirSync(join(folder, "packed"));
    writeFileSync(join(folder, "packed/coxswain-0.1.0.tgz"), "");
    const program = join(project, "node_modules/coxswain/bin/coxswain.js");
    writeFileSync(program, "");
    const installed = { "node_modules/coxswain": { resolved: "file:../packed/coxswain-0.1.0.tgz" } };
    writeFileSync(join(project, "node_modules/.package-lock.json"), JSON.stringify({ packages: installed }));
    const packed = join(realpathSync(folder), "packed");
    expect(ownSource(program)).toEqual({ kind: "tarballs", folder: packed, files: ["coxswain-0.1.0.tgz"] });
  });

  it("a folder of tarballs: all of them, since no registry has those that the others need", () => {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    for (const name of ["coxswain-0.1.0.tgz", "coxswain-api-0.1.0.tgz", "coxswain-schema-types-0.1.0.tgz", "README"])
      writeFileSync(join(tarballs, name), "");
    const source = namedSource(tarballs);
    if (source === undefined) throw new Error("not found");
    expect(dependenciesOn(source, ["api", "coxswain"])).toEqual({
      "@coxswain/api": `file:${tarballs}/coxswain-api-0.1.0.tgz`,
      coxswain: `file:${tarballs}/coxswain-0.1.0.tgz`,
    });
    expect(furtherDependencies(source, ["api", "coxswain"])).toEqual({
      "@coxswain/schema-types": `file:${tarballs}/coxswain-schema-types-0.1.0.tgz`,
    });
  });

  it("a folder with neither is none", () => expect(namedSource(folder)).toBeUndefined());
});
