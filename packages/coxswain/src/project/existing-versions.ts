import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareVersions } from "@coxswain/apimachinery/meta";
import { hasMarker } from "./add-marker.js";
import { fileNameOf, type ScaffoldedKind } from "./kind-names.js";

export interface ExistingVersion {
  readonly version: string;
  /** `api/v1alpha1/video.ts` */
  readonly path: string;
  readonly text: string;
}

/** The versions that a project has of a kind, the newest first, by the files that `create api` writes. */
export function existingVersions(directory: string, { kind, group }: ScaffoldedKind): ExistingVersion[] {
  const folder = join(directory, "api");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort(compareVersions)
    .flatMap((version) => {
      const path = `api/${version}/${fileNameOf(kind)}.ts`;
      const file = join(directory, path);
      if (!existsSync(file)) return [];
      const text = readFileSync(file, "utf8");
      // A kind of that name in another group is another kind.
      const isOfGroup = !text.includes("@group ") || text.includes(`@group ${group}\n`);
      return isOfGroup && hasMarker(text, kind, "resource") ? [{ version, path, text }] : [];
    });
}
