import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GeneratedModule } from "./definition-modules.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Checks modules with TypeScript's strictest settings, as a project that has them would; the compiler's errors, a line each. */
export function compileModules(modules: readonly GeneratedModule[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-import-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const { path, text } of modules) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noUnusedLocals: true,
      noEmit: true,
      skipLibCheck: true,
      target: "es2023",
      module: "nodenext",
      types: [],
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
    const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    return stdout.split("\n").filter((line) => line.includes("error TS"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
