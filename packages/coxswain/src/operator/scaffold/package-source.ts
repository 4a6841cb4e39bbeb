import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { productVersion } from "../../command/product-version.js";

/** Where a project's packages of Coxswain come from. */
export type PackageSource =
  | { readonly kind: "registry"; readonly version: string }
  /** A clone of the repository that is built: npm links its packages. */
  | { readonly kind: "clone"; readonly folder: string }
  /** What `npm run tool -- pack` made. All of them are named, since no registry has those that the others need. */
  | { readonly kind: "tarballs"; readonly folder: string; readonly files: readonly string[] };

const workspaceName = "coxswain-workspace";
const tarball = /^coxswain(?:-[a-z]+)?-\d.*\.tgz$/;

/** The folder that was named. Undefined: there is neither a clone nor a tarball. */
export function namedSource(path: string): PackageSource | undefined {
  const folder = resolve(path);
  if (isClone(folder)) return { kind: "clone", folder };
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => tarball.test(name)) : [];
  return files.length > 0 ? { kind: "tarballs", folder, files: files.sort() } : undefined;
}

/** The clone that the command runs from, else the registry. `program`: the launcher as it was started. */
export function ownSource(program: string | undefined): PackageSource {
  const folder = program !== undefined && existsSync(program) ? dirname(realpathSync(program)) : undefined;
  const root = folder && dirname(dirname(dirname(folder))); // ROOT/packages/coxswain/bin
  if (root !== undefined && isClone(root)) return { kind: "clone", folder: root };
  return { kind: "registry", version: productVersion };
}

function isClone(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name === workspaceName;
  } catch {
    return false; // there is none, or none of ours
  }
}

/** Pure: package.json's dependencies for the packages that a project uses itself (`api`, `coxswain`). */
export function dependenciesOn(source: PackageSource, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [fullName(name), locationOf(source, name)]));
}

/** Pure: those that no registry has, besides the ones that the project uses itself. */
export function furtherDependencies(source: PackageSource, used: readonly string[]): Record<string, string> {
  if (source.kind !== "tarballs") return {};
  return dependenciesOn(
    source,
    source.files.map(nameOf).filter((name) => !used.includes(name)),
  );
}

/** `api` of coxswain-api-0.1.0.tgz. */
const nameOf = (file: string): string => /^coxswain-([a-z]+)-/.exec(file)?.[1] ?? "coxswain";

const fullName = (name: string): string => (name === "coxswain" ? name : `@coxswain/${name}`);

function locationOf(source: PackageSource, name: string): string {
  switch (source.kind) {
    case "registry":
      return source.version;
    case "clone":
      return `file:${join(source.folder, "packages", name)}`;
    case "tarballs":
      return `file:${join(source.folder, source.files.find((file) => nameOf(file) === name) ?? `coxswain-${name}.tgz`)}`;
  }
}
