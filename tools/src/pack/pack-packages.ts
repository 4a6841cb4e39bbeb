import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../clients/run-program.js";
import type { PublishedPackage } from "./published-packages.js";

/** What every tarball has besides its own files. npm finds them only in the package's folder. */
const legal = ["LICENSE", "NOTICE"];

/**
 * Makes the tarballs of these packages, as `npm publish` would upload them, from what is built. Returns their paths, in the order of the packages.
 * @throws Error with npm's output
 */
export async function packPackages(
  root: string,
  packages: readonly PublishedPackage[],
  destination: string,
): Promise<string[]> {
  mkdirSync(destination, { recursive: true });
  const copies = packages.flatMap(({ folder }) => legal.map((name) => ({ name, folder })));
  for (const { name, folder } of copies) copyFileSync(join(root, name), join(root, "packages", folder, name));
  try {
    const workspaces = packages.map(({ folder }) => `--workspace=packages/${folder}`);
    const args = ["pack", "--loglevel=error", "--ignore-scripts", `--pack-destination=${destination}`, ...workspaces];
    const { code, stderr } = await runProgram("npm", args, { cwd: root });
    if (code !== 0) throw new Error(`npm pack ended with ${code}: ${stderr}`);
  } finally {
    for (const { name, folder } of copies) rmSync(join(root, "packages", folder, name), { force: true });
  }
  return packages.map(({ json }) => join(destination, tarballName(json)));
}

/** As npm names it: `@coxswain/api` 0.1.0 is `coxswain-api-0.1.0.tgz`. */
export const tarballName = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
