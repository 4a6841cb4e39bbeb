import { basename } from "node:path";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { namedSource, ownSource, type PackageSource } from "./package-source.js";

/** RFC 1123. */
const label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const domainName = new RegExp(`^${label}(?:\\.${label})*$`);

/** What `init` takes of every project. */
export const initFlags = defineFlags({
  domain: { group: "Project", type: "string", value: "name", help: "Of the API groups: example.com." },
  name: { group: "Project", type: "string", value: "name", help: "Of the project. By default the folder's." },
  packages: {
    group: "Project",
    type: "string",
    value: "folder",
    help: 'Where the packages of Coxswain are: tarballs of "npm run tool -- pack", or a clone. By default the clone that this command runs from, else npm\'s registry.',
  },
});

export interface InitOptions {
  readonly domain?: string | undefined;
  readonly name?: string | undefined;
  readonly packages?: string | undefined;
}

export interface ProjectFacts {
  readonly name: string;
  /** Groups of its kinds end with it. */
  readonly domain: string;
  /** Of the packages of Coxswain. */
  readonly source: PackageSource;
}

/** @throws FlagError */
export function readProjectFacts(options: InitOptions, directory: string): ProjectFacts {
  const { domain, name = basename(directory).toLowerCase() } = options;
  if (domain === undefined) throw new FlagError("name the domain of the API groups: --domain example.com");
  if (!domainName.test(domain)) throw new FlagError(`--domain: "${domain}" is no domain name`);
  if (!new RegExp(`^${label}$`).test(name))
    throw new FlagError(`"${name}" is no name of a project: give one of a-z, 0-9 and "-" with --name`);
  const source = options.packages === undefined ? ownSource(process.argv[1]) : namedSource(options.packages);
  if (source === undefined)
    throw new FlagError(`--packages: ${options.packages} has no tarballs of Coxswain and is no clone of it`);
  return { name, domain, source };
}
