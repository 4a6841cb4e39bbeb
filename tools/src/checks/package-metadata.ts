import type { PublishedPackage } from "../pack/index.js";

/** Modules with native parts or install scripts, and the one package that may depend on each. */
const nativeModules: Readonly<Record<string, string>> = { "@lmdb/": "coxswain" };
const knownNative = /^(lmdb$|@lmdb\/|msgpackr-extract|node-gyp|prebuild)/;
const repository = "git+https://git.example.com/coxswain.git";
/** Lines of the first code block of a README: what one reads before deciding to go on. */
const longestStart = 16;

/** What a registry shows of a package, and what its users run into: each gap as a sentence. */
export function checkPackageMetadata(
  { folder, json }: PublishedPackage,
  { readme, versions }: { readonly readme: string | undefined; readonly versions: ReadonlyMap<string, string> },
): string[] {
  const problems = [
    ...metadataProblems(folder, json),
    ...dependencyProblems(json, versions),
    ...exportProblems(json),
    ...readmeProblems(json.name, readme),
  ];
  return problems.map((problem) => `packages/${folder}/package.json: ${problem}.`);
}

function* metadataProblems(folder: string, json: PublishedPackage["json"]): Generator<string> {
  if ((json.description ?? "").length < 20) yield "a registry shows the description: write a sentence";
  if (json.license !== "Apache-2.0") yield 'license must be "Apache-2.0"';
  if (json.repository?.url !== repository || json.repository.directory !== `packages/${folder}`)
    yield `repository must be ${repository} with directory packages/${folder}, by which links of the README are found`;
  if (json.engines?.node !== ">=20.19") yield 'engines.node must be ">=20.19"';
  const files = json.files ?? [];
  if (!files.includes("NOTICE")) yield "files must have NOTICE";
  // Without sources the maps that are packed lead nowhere.
  if (json.exports !== undefined && !(files.includes("dist") && files.includes("src")))
    yield "files must have dist and src: source maps and declaration maps refer to src";
  for (const script of ["preinstall", "install", "postinstall"])
    if (json.scripts?.[script] !== undefined) yield `no ${script} script: installing runs nothing`;
}

function* dependencyProblems(json: PublishedPackage["json"], versions: ReadonlyMap<string, string>): Generator<string> {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = json;
  for (const [name, version] of Object.entries({ ...dependencies, ...peerDependencies })) {
    if (!name.startsWith("@coxswain/") && name !== "coxswain") continue;
    if (!versions.has(name)) yield `${name} is private: a user cannot install it`;
    else if (versions.get(name) !== version) yield `${name} is ${versions.get(name)}, not ${version}`;
  }
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const owner = Object.entries(nativeModules).find(([prefix]) => name.startsWith(prefix))?.[1];
    if (knownNative.test(name) && owner !== json.name)
      yield `${name} is native or has install scripts: make it an optional peer, so that only those who use it install it`;
  }
  for (const name of Object.keys(peerDependencies))
    if (peerDependenciesMeta[name]?.optional !== true) yield `the peer ${name} must be optional: npm installs others`;
}

function* exportProblems({ exports = {} }: PublishedPackage["json"]): Generator<string> {
  for (const [path, conditions] of Object.entries(exports))
    if (conditions["types"] === undefined || conditions["default"] === undefined)
      yield `exports["${path}"] needs types and default`;
}

function* readmeProblems(name: string, readme: string | undefined): Generator<string> {
  if (readme === undefined) return yield "there is no README.md";
  if (!readme.startsWith(`# ${name}\n`)) yield `README.md must begin with "# ${name}"`;
  const start = /^```(?:ts|sh)\n(.*?)^```/ms.exec(readme)?.[1];
  if (start === undefined) yield "README.md needs a start: a block of ts or sh with about ten lines";
  else if (start.split("\n").length - 1 > longestStart)
    yield `the start in README.md has more than ${longestStart} lines`;
}
