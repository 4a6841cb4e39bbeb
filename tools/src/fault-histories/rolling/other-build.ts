import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownLauncher } from "../../clients/index.js";

/** What `/version` answers: of this checkout, and of the other build. */
export const releases = { own: "v1.36.4", other: "v1.36.5" } as const;

/** A copy of what is built here that reports a newer release: another program in other files. Answers its launcher. */
export function makeOtherBuild(folder: string): string {
  const own = dirname(dirname(ownLauncher));
  for (const part of ["bin", "dist/bundle", "package.json"])
    cpSync(join(own, part), join(folder, "packages/coxswain", part), { recursive: true });
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(own, "../../node_modules"), join(folder, "node_modules"));
  const bundle = join(folder, "packages/coxswain/dist/bundle/coxswain.js");
  const text = readFileSync(bundle, "latin1");
  if (!text.includes(releases.own)) throw new Error(`the bundle names no ${releases.own}`);
  writeFileSync(bundle, text.replaceAll(releases.own, releases.other), "latin1");
  return join(folder, "packages/coxswain/bin/coxswain.js");
}
