import { insertBefore } from "../../project/insert-before.js";

/** Lines of main.ts before which the scaffold adds a line: they stay where they are. */
export const importsMark = "// +coxswain:imports";
export const controllersMark = "// +coxswain:controllers";

/** A function that main.ts calls with the manager. */
export interface MainCall {
  /** `addVideoController` */
  readonly name: string;
  /** Relative to main.ts, without `.ts`: `controllers/video-controller`. */
  readonly module: string;
  /** Stands behind the name where main.ts has such a one already: `V1`. */
  readonly version: string;
}

/** main.ts with the calls in it; undefined where a mark is missing. */
export function addToMain(text: string, calls: readonly MainCall[]): string | undefined {
  if (!text.includes(importsMark) || !text.includes(controllersMark)) return undefined;
  return calls.reduce((current, { name, module, version }) => {
    const isTaken = current.includes(`import { ${name} }`);
    const called = isTaken ? `${name}${version.replace("v", "V")}` : name;
    const imported = isTaken ? `${name} as ${called}` : name;
    const withImport = insertBefore(current, importsMark, `import { ${imported} } from "./${module}.js";`);
    return insertBefore(withImport, controllersMark, `${called}(manager);`);
  }, text);
}

/** main.ts with the generated names of webhook certificates handed to runOperator; undefined where it is not as it was scaffolded. */
export function addCertificatesToMain(text: string): string | undefined {
  if (text.includes("webhookCertificates")) return text;
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trimStart().startsWith("leaderElectionId:"));
  const line = lines[at];
  if (line === undefined || !text.includes(importsMark)) return undefined;
  const indent = line.slice(0, line.indexOf("l"));
  const withOption = lines.toSpliced(at + 1, 0, `${indent}webhookCertificates,`).join("\n");
  return insertBefore(withOption, importsMark, 'import { webhookCertificates } from "./webhooks/certificates.js";');
}
