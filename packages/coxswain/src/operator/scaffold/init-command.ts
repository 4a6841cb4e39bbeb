import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { defineSubcommand } from "../operator-subcommand.js";
import { writeChanged } from "../write-files.js";
import { namedSource, ownSource } from "./package-source.js";
import { projectFiles } from "./project-files.js";

/** RFC 1123. */
const label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const domainName = new RegExp(`^${label}(?:\\.${label})*$`);

export const initSubcommand = defineSubcommand({
  name: "init",
  takes: "",
  summary: "Writes a new project into the current folder.",
  description:
    "Writes package.json, main.ts, manifests for the operator's Deployment, tests on a cluster, a README, a linter's configuration and a CI workflow. The groups of the kinds that `create api` adds end with the domain.",
  flags: defineFlags({
    domain: { group: "Project", type: "string", value: "name", help: "Of the API groups: example.com." },
    name: { group: "Project", type: "string", value: "name", help: "Of the project. By default the folder's." },
    packages: {
      group: "Project",
      type: "string",
      value: "folder",
      help: 'Where the packages of Coxswain are: tarballs of "npm run tool -- pack", or a clone. By default the clone that this command runs from, else npm\'s registry.',
    },
  }),
  maxWords: 0,
  run({ options, directory, print, printError }) {
    const { domain, name = basename(directory).toLowerCase() } = options;
    if (domain === undefined) throw new FlagError("name the domain of the API groups: --domain example.com");
    if (!domainName.test(domain)) throw new FlagError(`--domain: "${domain}" is no domain name`);
    if (!new RegExp(`^${label}$`).test(name))
      throw new FlagError(`"${name}" is no name of a project: give one of a-z, 0-9 and "-" with --name`);
    const source = options.packages === undefined ? ownSource(process.argv[1]) : namedSource(options.packages);
    if (source === undefined)
      throw new FlagError(`--packages: ${options.packages} has no tarballs of Coxswain and is no clone of it`);
    const files = projectFiles({ name, domain, source });
    const existing = files.filter(({ path }) => existsSync(join(directory, path)));
    if (existing.length > 0) {
      printError(`${existing.map(({ path }) => path).join(", ")} exist in ${directory}: use an empty folder`);
      return 1;
    }
    for (const path of writeChanged(directory, files)) print(`wrote ${path}`);
    print('next: npm install, then "coxswain operator create api --group … --version v1alpha1 --kind …"');
    return 0;
  },
});
