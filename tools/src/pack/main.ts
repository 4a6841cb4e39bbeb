// npm run tool -- pack: see `usage`.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packPackages } from "./pack-packages.js";
import { publishedPackages } from "./published-packages.js";

const usage = `npm run tool -- pack [DIRECTORY]

Makes the tarballs of all packages that are to be published, by default in dist/packages. Until they are, projects install them from there:

  npm install --save-dev CLONE/dist/packages/*.tgz
`;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const [given] = process.argv.slice(2);
if (given?.startsWith("-")) process.stdout.write(usage);
else {
  const destination = resolve(root, given ?? "dist/packages");
  if (given === undefined) rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const tarballs = await packPackages(root, publishedPackages(root), destination);
  for (const path of tarballs)
    process.stdout.write(`${`${(statSync(path).size / 1024).toFixed(0)} KB`.padStart(8)}  ${basename(path)}\n`);
  const place = relative(process.cwd(), destination) || ".";
  process.stdout.write(`${tarballs.length} packages in ${place}: npm install --save-dev ${destination}/*.tgz\n`);
}
