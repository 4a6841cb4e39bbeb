import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What is read of a package.json. */
export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly engines?: { readonly node: string };
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface PublishedPackage {
  /** Of its folder below `packages`. */
  readonly folder: string;
  readonly json: PackageJson;
}

/** The packages of the workspace that are not private. */
export function publishedPackages(root: string): PublishedPackage[] {
  return readdirSync(join(root, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: folder }) => {
      const text = readFileSync(join(root, "packages", folder, "package.json"), "utf8");
      return { folder, json: JSON.parse(text) as PackageJson };
    })
    .filter(({ json }) => json.private !== true);
}

/** A package and all packages of ours that it needs, itself last. */
export function withDependencies(all: readonly PublishedPackage[], names: readonly string[]): PublishedPackage[] {
  const found = new Set<PublishedPackage>();
  const visit = (name: string): void => {
    const one = all.find(({ json }) => json.name === name);
    if (one === undefined || found.has(one)) return;
    for (const other of Object.keys(one.json.dependencies ?? {})) visit(other);
    found.add(one);
  };
  for (const name of names) visit(name);
  return [...found];
}
