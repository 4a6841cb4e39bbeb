import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { builtInTypes } from "@coxswain/api/tables";
import type { CustomKind } from "./definitions/custom-kind.js";
import { findKinds } from "./definitions/find-kinds.js";
import { makeDefinitions } from "./definitions/make-definitions.js";
import { refuseUnknownMarkers } from "./markers/known-markers.js";
import { readDoc } from "./markers/read-doc.js";
import { createTypeEvaluator } from "./shapes/evaluate-type.js";
import { createModuleLoader, type ReadSource } from "./shapes/module-loader.js";

export interface GeneratedDefinitions {
  readonly kinds: readonly CustomKind[];
  readonly definitions: readonly CustomResourceDefinition[];
}

/**
 * CustomResourceDefinitions from the TypeScript interfaces of API versions. `files` are paths like
 * `api/v1alpha1/video-processor.ts`: the folder is the version. Errors are `SourceError`s with file, line and column.
 */
export function generateDefinitions(files: readonly string[], read: ReadSource): GeneratedDefinitions {
  const loader = createModuleLoader(read);
  const folders = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const folder = file.split("/").slice(0, -1).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const kinds = [...folders].flatMap(([folder, paths]) => {
    const modules = paths.map((path) => loader.load(path));
    for (const module of modules) for (const comment of module.docs) refuseUnknownMarkers(readDoc(module, comment));
    return findKinds({ modules, version: folder.split("/").at(-1) ?? "" });
  });
  return { kinds, definitions: makeDefinitions(kinds, createTypeEvaluator(loader, builtInTypes)) };
}
