// Writes dist/descriptions/extracted.js: what each type and member means, read from the type declarations of kubernetes-models and
// @kubernetes/client-node (as text; neither package is ever loaded). A step of the build after `tsc -b`; the result is published, not committed.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownMembers } from "./dist/descriptions/own-words.js";
import { interfaceName, plainName, readClass, readInterface } from "./dist/descriptions/read-declarations.js";
import { builtInTypes } from "./dist/tables/index.js";

const here = dirname(fileURLToPath(import.meta.url));
const { resolve } = createRequire(import.meta.url);
const classFolder = join(dirname(resolve("@kubernetes/client-node")), "gen/models");
const interfaceFolders = ["kubernetes-models", "@kubernetes-models/apimachinery"].map(packageFolder);
const output = join(here, "dist/descriptions/extracted.js");

/** What a package exports cannot be resolved by another kind of module than its own, and nothing of it is loaded here. */
function packageFolder(name) {
  const folder = resolve
    .paths(name)
    .map((modules) => join(modules, name))
    .find((each) => existsSync(each));
  if (!folder) throw new Error(`${name} is not installed: run npm install`);
  return folder;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const classes = new Set(readdirSync(classFolder));

/** Texts of interfaces by the names under which they are exported for other files. */
const interfaces = new Map();
for (const folder of interfaceFolders)
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith(".d.ts") || file.startsWith("_schemas")) continue;
    const text = readFileSync(join(folder, file), "utf8");
    const [, name] = /^export type \{ \w+ as (IIoK8s\w+)/m.exec(text) ?? [];
    if (name) interfaces.set(name, text);
  }

/** A class carries its group only where two groups have a type of that name; it is the right one if it has our members. */
function findClass(name, node) {
  const parts = name.split(".");
  const [group = "", version = "", type = ""] = parts.slice(-3);
  for (const candidate of [`${capital(group)}${capital(version)}${type}`, `${capital(version)}${type}`]) {
    if (!classes.has(`${candidate}.d.ts`)) continue;
    const found = readClass(readFileSync(join(classFolder, `${candidate}.d.ts`), "utf8"));
    const ours = node.fields
      .map((field) => plainName(field.name))
      .sort()
      .join();
    if ([...found.names].sort().join() === ours) return found;
  }
  return undefined;
}

/** Named by group, version and type. */
function findInterface(name) {
  const text = interfaces.get(interfaceName(name));
  return text && readInterface(text);
}

const result = {};
let without = 0;
for (const name of builtInTypes.names()) {
  const node = builtInTypes.get(name);
  const found = [findInterface(name), findClass(name, node)].filter(Boolean);
  if (found.length === 0) {
    without += 1;
    continue;
  }
  const first = (textOf) => found.map(textOf).find(Boolean);
  const members = {};
  for (const field of node.fields) {
    const text = first(({ members }) => members.get(plainName(field.name)));
    if (text && !ownMembers.has(field.name)) members[field.name] = text;
  }
  result[name] = [first(({ description }) => description) ?? "", members];
}
const json = JSON.stringify(result);
mkdirSync(dirname(output), { recursive: true });
copyFileSync(join(here, "../../NOTICE"), join(dirname(output), "NOTICE")); // names the authors of these texts
writeFileSync(output, `export const text = ${JSON.stringify(json)};\n`);
if (!process.argv.includes("--quiet"))
  console.log(
    `descriptions: ${Object.keys(result).length} types, ${(json.length / 1024).toFixed(0)} KB; ${without} types have none (versions that are no longer served, options).`,
  );
