// Writes dist/descriptions/extracted.js: what each type and member means, read from the type declarations of @kubernetes/client-node
// (as text; the package is never loaded). A step of the build after `tsc -b`; the result is published, not committed.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownMembers } from "./dist/descriptions/own-words.js";
import { builtInTypes } from "./dist/tables/index.js";

const here = dirname(fileURLToPath(import.meta.url));
const models = join(dirname(createRequire(import.meta.url).resolve("@kubernetes/client-node")), "gen/models");
const output = join(here, "dist/descriptions/extracted.js");

/** Doc comments of a class and its members. */
function readClass(text) {
  const body = text.slice(text.indexOf("export declare class"));
  const head = /\/\*\*\n\* (.*)\n\*\/\nexport declare class/.exec(text);
  const members = new Map();
  for (const [, comment, name] of body.matchAll(/(?: {4}\/\*\*\n {4}\* (.*)\n {4}\*\/\n)? {4}'([^']+)'\??: /g))
    members.set(plain(name), comment && unescape(comment));
  return { description: head && unescape(head[1]), members };
}

const unescape = (text) => text.replaceAll(/\\(["'\\])/g, "$1").trim();
/** Names that are no TypeScript identifiers are written otherwise there: _continue, x_kubernetes_map_type. */
const plain = (name) => name.replaceAll(/[^a-zA-Z0-9]/g, "").toLowerCase();
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const classes = new Map(
  readdirSync(models)
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => [file.slice(0, -".d.ts".length), file]),
);

/** A class carries its group only where two groups have a type of that name; it is the right one if it has our members. */
function findClass(name, node) {
  const parts = name.split(".");
  const [group = "", version = "", type = ""] = parts.slice(-3);
  for (const candidate of [`${capital(group)}${capital(version)}${type}`, `${capital(version)}${type}`]) {
    const file = classes.get(candidate);
    if (!file) continue;
    const found = readClass(readFileSync(join(models, file), "utf8"));
    const ours = node.fields
      .map((field) => plain(field.name))
      .sort()
      .join();
    if ([...found.members.keys()].sort().join() === ours) return found;
  }
  return undefined;
}

const result = {};
let without = 0;
for (const name of builtInTypes.names()) {
  const node = builtInTypes.get(name);
  const found = findClass(name, node);
  if (!found) {
    without += 1;
    continue;
  }
  const members = {};
  for (const field of node.fields) {
    const text = found.members.get(plain(field.name));
    if (text && !ownMembers.has(field.name)) members[field.name] = text;
  }
  result[name] = [found.description ?? "", members];
}
const json = JSON.stringify(result);
mkdirSync(dirname(output), { recursive: true });
copyFileSync(join(here, "../../NOTICE"), join(dirname(output), "NOTICE")); // names the authors of these texts
writeFileSync(output, `export const text = ${JSON.stringify(json)};\n`);
console.log(
  `descriptions: ${Object.keys(result).length} types, ${(json.length / 1024).toFixed(0)} KB; ${without} types have none (versions that are no longer served, options).`,
);
