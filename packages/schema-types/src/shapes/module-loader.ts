import { parseModule } from "../syntax/parse-module.js";
import { SourceError } from "../syntax/source-place.js";
import type { Declaration, ImportedName, TypeModule } from "../syntax/type-node.js";
import { isBuiltInModule } from "./built-in-names.js";

/** Returns a file's text, or undefined where there is none. Paths are relative to the project and have forward slashes. */
export type ReadSource = (path: string) => string | undefined;

/** What a name stands for: a declaration in one of the user's files, a whole module, or a type of Kubernetes. */
export type ResolvedName =
  | { readonly is: "declared"; readonly module: TypeModule; readonly declaration: Declaration }
  | { readonly is: "module"; readonly module: TypeModule }
  | { readonly is: "built-in"; readonly module: string; readonly name: string };

export interface ModuleLoader {
  load(path: string): TypeModule;
  /** Follows imports and re-exports to where `name` is declared; undefined where the file does not know it. */
  resolve(module: TypeModule, name: string): ResolvedName | undefined;
}

/** Files are read and parsed once, when they are first named. */
export function createModuleLoader(read: ReadSource): ModuleLoader {
  const modules = new Map<string, TypeModule | undefined>();

  function find(path: string): TypeModule | undefined {
    if (!modules.has(path)) {
      const text = read(path);
      modules.set(path, text === undefined ? undefined : parseModule({ path, text }));
    }
    return modules.get(path);
  }

  function imported(from: TypeModule, { from: specifier, name, offset }: ImportedName): ResolvedName | undefined {
    const place = { source: from, offset };
    if (specifier === "") return resolve(from, name);
    if (isBuiltInModule(specifier)) return { is: "built-in", module: specifier, name };
    if (!specifier.startsWith("."))
      throw new SourceError(
        place,
        `types of the package "${specifier}" cannot be part of a schema: declare them in a file of this project`,
      );
    const module = candidates(from.path, specifier)
      .map(find)
      .find((candidate) => candidate !== undefined);
    if (!module) throw new SourceError(place, `there is no file "${specifier}" beside this one`);
    return name === "*" ? { is: "module", module } : exported(module, name);
  }

  function exported(module: TypeModule, name: string): ResolvedName | undefined {
    const own = resolve(module, name);
    if (own) return own;
    for (const all of module.exportsAll) {
      const other = imported(module, all);
      const found = other?.is === "module" ? exported(other.module, name) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  function resolve(module: TypeModule, name: string): ResolvedName | undefined {
    const [head = "", ...rest] = name.split(".");
    const declaration = module.declarations.get(head);
    if (declaration && rest.length === 0) return { is: "declared", module, declaration };
    const other = module.imports.get(head) ?? module.reexports.get(head);
    const found = other && imported(module, other);
    if (rest.length === 0 || found === undefined) return found;
    const last = rest.join(".");
    if (found.is === "module") return exported(found.module, last);
    return found.is === "built-in" && found.name === "*" ? { ...found, name: last } : undefined;
  }

  return {
    load(path) {
      const module = find(path);
      if (!module) throw new Error(`there is no file ${path}`);
      return module;
    },
    resolve,
  };
}

/** `./video.js` is written for `video.ts`; `./video` may also be a folder. */
function candidates(from: string, specifier: string): string[] {
  const path = joinPath(from, specifier);
  const bare = path.replace(/\.(?:[mc]?[jt]s)$/, "");
  return [path, `${bare}.ts`, `${bare}.d.ts`, `${bare}.mts`, `${path}/index.ts`];
}

function joinPath(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
