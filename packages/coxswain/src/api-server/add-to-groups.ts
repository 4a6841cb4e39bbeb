import { insertBefore } from "../project/insert-before.js";

/** The module that names all kinds, as those of kinds import it. */
export const groupsModule = "../groups.js";

/** Lines before which the scaffold adds a line: they stay where they are. */
export const importsMark = "// +coxswain:imports";
export const kindsMark = "// +coxswain:kinds";
export const versionsMark = "// +coxswain:versions";

/** groups.ts with one more kind; undefined where a mark is missing. */
export function addToGroups(
  text: string,
  { name, module }: { readonly name: string; readonly module: string },
): string | undefined {
  if (!text.includes(importsMark) || !text.includes(kindsMark)) return undefined;
  return insertBefore(
    insertBefore(text, importsMark, `import { ${name} } from "./${module}.js";`),
    kindsMark,
    `${name},`,
  );
}

/** The module of a kind with conversion of a further version, which is a copy so far; undefined where the mark is missing. */
export const addVersion = (text: string, version: string): string | undefined =>
  text.includes(versionsMark)
    ? insertBefore(
        text,
        versionsMark,
        `${version}: { toHub: (object) => object as never, fromHub: (object) => object },`,
      )
    : undefined;

/** The test of a kind that also reads and writes a further version; undefined where the mark is missing. */
export const addTestedVersion = (text: string, version: string): string | undefined =>
  text.includes(versionsMark) ? insertBefore(text, versionsMark, `"${version}",`) : undefined;
