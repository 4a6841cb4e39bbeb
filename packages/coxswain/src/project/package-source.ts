import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { productVersion } from "../command/product-version.js";

/** Where a project's packages of Coxswain come from. */
export type PackageSource =
  | { readonly kind: "registry"; readonly version: string }
  /** A clone of the repository that is built: npm links its packages. */
  | { readonly kind: "clone"; readonly folder: string }
  /** What `npm run tool -- pack` made. All of them are named, since no registry has those that the others need. */
  | { readonly kind: "tarballs"; readonly folder: string; readonly files: readonly string[] };

const workspaceName = "coxswain-workspace";
const tarball = /^coxswain(?:-[a-z]+)*-\d.*\.tgz$/;

/** The folder that was named. Undefined: there is neither a clone nor a tarball. */
export function namedSource(path: string): PackageSource | undefined {
  const folder = resolve(path);
  if (isClone(folder)) return { kind: "clone", folder };
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => tarball.test(name)) : [];
  return files.length > 0 ? { kind: "tarballs", folder, files: files.sort() } : undefined;
}

/** Where the command itself comes from: a clone, tarballs that were installed, else the registry. `program`: the launcher as it was started. */
export function ownSource(program: string | undefined): PackageSource {
  const folder = program !== undefined && existsSync(program) ? dirname(realpathSync(program)) : undefined;
  const root = folder && dirname(dirname(dirname(folder))); // ROOT/packages/coxswain/bin, ROOT/node_modules/coxswain/bin
  if (root !== undefined && isClone(root)) return { kind: "clone", folder: root };
  const tarballs = root === undefined ? undefined : installedTarballs(root);
  return tarballs ?? { kind: "registry", version: productVersion };
}

/** The tarballs that npm installed the command from, by what npm notes of a project; undefined: it did not, or they are gone. */
function installedTarballs(project: string): PackageSource | undefined {
  const installed = readJson(join(project, "node_modules/.package-lock.json"))["packages"] as
    | Record<string, { readonly resolved?: string } | undefined>
    | undefined;
  const resolved = installed?.["node_modules/coxswain"]?.resolved;
  if (!resolved?.startsWith("file:")) return undefined;
  return namedSource(resolve(project, dirname(resolved.slice("file:".length))));
}

const isClone = (folder: string): boolean => readJson(join(folder, "package.json"))["name"] === workspaceName;

function readJson(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    return {}; // there is none, or none that npm wrote
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

/** `schema-types` of coxswain-schema-types-0.1.0.tgz. */
const nameOf = (file: string): string => /^coxswain-([a-z]+(?:-[a-z]+)*)-\d/.exec(file)?.[1] ?? "coxswain";

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
