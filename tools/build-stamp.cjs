"use strict";
// Remembers of which files, at which times and sizes, the bundle was built: `npm start` then knows by their stats alone whether to build.
const { readdirSync, readFileSync, statSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

/** In node_modules: a new installation builds anew. */
const stampFile = (root) => join(root, "node_modules", ".coxswain-built");

/** What the bundle is made by, beside the sources that bundle.mjs lists. A change of a file that it does not use leaves it as it is. */
function recipe(root) {
  const packages = readdirSync(join(root, "packages")).flatMap((name) =>
    ["package.json", "tsconfig.json"].map((file) => `packages/${name}/${file}`),
  );
  const bundled = readdirSync(join(root, "packages/coxswain/bundle")).map((name) => `packages/coxswain/bundle/${name}`);
  return [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.base.json",
    "tools/fresh.mjs",
    "packages/api/extract-descriptions.mjs",
    "packages/api/src/descriptions/own-words.ts",
    "packages/coxswain/bundle.mjs",
    ...bundled,
    ...packages,
  ];
}

const results = ["coxswain.js", "descriptions.cjs", "prepared-objects.json"].map(
  (name) => `packages/coxswain/dist/bundle/${name}`,
);

/** Modification time and size; undefined if there is no such file. */
function look(root, file) {
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  return found && { file, mtimeMs: found.mtimeMs, size: found.size };
}

/**
 * After a build that began at `begunAt` (ms since 1970). A source that was written since then may or may not be in it:
 * no stamp, and the next start builds again.
 */
function stampBuild(root, begunAt) {
  const sources = JSON.parse(readFileSync(join(root, "packages/coxswain/dist/bundle-sources.json"), "utf8"));
  const seen = [...sources, ...recipe(root)].map((file) => look(root, file)).filter((entry) => entry !== undefined);
  if (seen.some(({ mtimeMs }) => mtimeMs >= begunAt)) return;
  seen.push(...results.map((file) => look(root, file)).filter((entry) => entry !== undefined));
  writeFileSync(stampFile(root), seen.map(({ file, mtimeMs, size }) => `${mtimeMs} ${size} ${file}`).join("\n"));
}

/** Whether the last build is there and would be the same now. */
function isBuilt(root) {
  let stamp;
  try {
    stamp = readFileSync(stampFile(root), "utf8");
  } catch {
    return false;
  }
  // Some 4,000 files, at each start: nothing is made of their names and times that need not be.
  return stamp.split("\n").every((line) => {
    const afterTime = line.indexOf(" ");
    const afterSize = line.indexOf(" ", afterTime + 1);
    const now = statSync(`${root}/${line.slice(afterSize + 1)}`, { throwIfNoEntry: false });
    return (
      now !== undefined &&
      now.mtimeMs === Number(line.slice(0, afterTime)) &&
      now.size === Number(line.slice(afterTime + 1, afterSize))
    );
  });
}

module.exports = { isBuilt, stampBuild };
