import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { it } from "vitest";

const require = createRequire(import.meta.url);

/** What a module imports as values, at once: neither types nor what is loaded later. */
const imports = /^(?:import|export)\s(?!type\s)(?:[^;"']*?\sfrom\s)?"([^"]+)"/gm;

/** Every source file that importing `first` loads. */
function loadedBy(first: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const pending = [first];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const [statement, target = ""] of readFileSync(file, "utf8").matchAll(imports)) {
      const isTypesOnly = /^(?:import|export)\s*\{(?:\s*type\s[^,}]*,?)*\s*\}/.test(statement);
      const found = isTypesOnly ? undefined : sourceOf(target, file);
      if (found) pending.push(found);
    }
  }
  return loaded;
}

function sourceOf(target: string, from: string): string | undefined {
  if (target.startsWith(".")) return join(dirname(from), target.replace(/\.js$/, ".ts"));
  if (!target.startsWith("@coxswain/")) return undefined;
  return require.resolve(target).replace("/dist/", "/src/").replace(/\.js$/, ".ts");
}

const builtInKindsOf = (index: string): string[] =>
  [...loadedBy(fileURLToPath(new URL(index, import.meta.url)))].filter((file) =>
    /\/kinds\/src\/.*\/kinds?\.ts$|\/built-in-kinds\.ts$/.test(file),
  );

it("a server of one's own loads no built-in kind", () => {
  assert.deepEqual(builtInKindsOf("index.ts"), []);
  assert.ok(builtInKindsOf("../index.ts").length > 50, "kube-apiserver's composition loads them");
});
