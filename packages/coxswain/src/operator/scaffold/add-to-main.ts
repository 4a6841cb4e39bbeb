import { controllerModule, type ScaffoldedKind } from "./kind-names.js";

/** Lines of main.ts before which `create api` adds a line: they stay where they are. */
export const importsMark = "// +coxswain:imports";
export const controllersMark = "// +coxswain:controllers";

/** main.ts with the kind's controller in it; undefined where a mark is missing. */
export function addToMain(text: string, kind: ScaffoldedKind): string | undefined {
  if (!text.includes(importsMark) || !text.includes(controllersMark)) return undefined;
  const add = `add${kind.kind}Controller`;
  const imported = insertBefore(text, importsMark, `import { ${add} } from "./${controllerModule(kind)}.js";`);
  return insertBefore(imported, controllersMark, `${add}(manager);`);
}

/** A line before that of the mark, indented as it. */
function insertBefore(text: string, mark: string, line: string): string {
  const at = text.indexOf(mark);
  const indent = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return `${text.slice(0, at)}${line}\n${indent}${text.slice(at)}`;
}
