import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedPackages } from "../pack/index.js";
import { documentFiles } from "./document-files.js";
import { checkFolderLayers } from "./folder-layers.js";
import { checkImportCycles } from "./import-cycles.js";
import { checkImports } from "./imports.js";
import { checkLocatedComments } from "./located-comments.js";
import { checkLongCells } from "./long-cells.js";
import { checkLongFunctions } from "./long-functions.js";
import { checkNeededPrograms } from "./needed-programs.js";
import { checkOwnMembers } from "./own-members.js";
import { checkPackageMetadata } from "./package-metadata.js";
import { checkPageLinks } from "./page-links.js";
import { checkPlainWords } from "./plain-words.js";
import { sourceFiles } from "./source-files.js";
import { checkSpreadArguments } from "./spread-arguments.js";
import { checkSuperLinear } from "./super-linear.js";
import { checkTablePaths } from "./table-paths.js";
import { checkTimeAndChance } from "./time-and-chance.js";
import { checkTwins } from "./twins.js";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
// The rules' own tests quote what they forbid.
const files = sourceFiles(root).filter((file) => file.path !== "tools/src/checks/checks.test.ts");
const pages = documentFiles(root);
const packages = publishedPackages(root);
const versions = new Map(packages.map(({ json }) => [json.name, json.version]));
const isThere = (path: string): boolean => existsSync(join(root, path));
const readText = (path: string): string | undefined =>
  isThere(path) ? readFileSync(join(root, path), "utf8") : undefined;
const problems = [
  ...packages.flatMap((each) =>
    checkPackageMetadata(each, { readme: readText(`packages/${each.folder}/README.md`), versions }),
  ),
  ...files.flatMap((file) => [
    ...checkImports(file),
    ...checkFolderLayers(file),
    ...checkTimeAndChance(file),
    ...checkOwnMembers(file),
    ...checkNeededPrograms(file),
    ...checkSpreadArguments(file),
    ...checkLocatedComments(file),
  ]),
  ...[...files, ...pages].filter(({ path }) => !/\/checks\/plain-words\b/.test(path)).flatMap(checkPlainWords),
  ...pages.flatMap((page) => checkPageLinks(page, isThere)),
  ...pages.filter(({ path }) => path === "CONTRIBUTING.md").flatMap((page) => checkTablePaths(page, isThere)),
  ...pages.filter(({ path }) => path === "docs/status.md").flatMap(checkLongCells),
  ...checkImportCycles(files),
  ...checkSuperLinear(files),
  ...checkLongFunctions(root),
  ...checkTwins(root),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${problems.length} rule${problems.length === 1 ? " is" : "s are"} broken.`);
  process.exit(1);
}
console.log(
  `House rules hold in ${files.length} files and ${pages.length} pages: imports, layers, cycles, time and chance, own members, needed programs, spread arguments, regular expressions, plain words, places of upstream, links of pages, paths of CONTRIBUTING.md, cells of docs/status.md, long functions, twins of work in steps, metadata of packages.`,
);
