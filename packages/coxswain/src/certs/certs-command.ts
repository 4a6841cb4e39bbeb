import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AuthorityName,
  abandonRotation,
  authorityNames,
  beginRotation,
  certificateFilesIn,
  finishRotation,
  leavesOf,
  listCertificates,
  renewLeaves,
  switchAuthority,
} from "@coxswain/component/certificates";
import { defineFlags, FlagError, formatHelp, type OptionsOf, parseFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { printJson, printTable } from "../store/print.js";
import { choiceFlags } from "../up/choice-flags.js";
import { clusterFolder } from "../up/cluster-home.js";
import { certificateRows } from "./certificate-rows.js";

export const certsFlags = defineFlags({
  ...choiceFlags,
  authority: {
    group: "Rotation",
    type: "string",
    default: "ca",
    choices: authorityNames,
    help: "Which authority `rotate` replaces.",
  },
  output: {
    group: "Output",
    type: "string",
    short: "o",
    default: "text",
    choices: ["text", "json"],
    help: "Text for people, JSON for programs.",
  },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

const description = `Lists, renews and replaces certificates of a cluster's folder.

  list [FILE …]     shows when those of the folder, or of files, expire; exit code 1 if one has or will within 30 days
  renew [NAME …]    makes new certificates for servers and clients of the folder; all of them without a name
  rotate begin      trusts a second authority
  rotate switch     signs by it, and renews what the first one signed
  rotate finish     no longer trusts the first one
  rotate abandon    forgets the second one, before \`switch\`

A server that runs takes up what changes. docs/operations.md has the order of a rotation for several servers.`;

export async function runCerts(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(certsFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(certsFlags, { usage: "coxswain certs list|renew|rotate [flags]", description }));
    return 0;
  }
  const { options } = parsed;
  const [action = "list", ...words] = parsed.rest;
  const folder = join(clusterFolder(options), "pki");
  if (action === "list") return list(folder, words, options);
  if (!existsSync(join(folder, "ca.crt")))
    throw new FlagError(`there is no authority in ${folder}: name the cluster, or the data directory of an API server`);
  if (action === "renew") return renew(folder, words);
  if (action === "rotate" && words.length === 1)
    return rotate(folder, options.authority as AuthorityName, words[0] ?? "");
  throw new FlagError('Usage: coxswain certs list|renew|rotate [flags]. Try "coxswain certs --help".');
}

type Options = OptionsOf<typeof certsFlags>;

function list(folder: string, files: readonly string[], { output }: Options): number {
  if (files.length === 0 && !existsSync(folder)) throw new FlagError(`there is no folder ${folder}`);
  const { certificates, unreadable } = listCertificates(files.length > 0 ? files : certificateFilesIn(folder));
  const rows = certificateRows(certificates, { now: systemClock.now(), folder });
  if (output === "json") printJson({ certificates: rows, unreadable });
  else {
    printTable(
      ["FILE", "SUBJECT", "ISSUER", "EXPIRES", "LEFT", "STATE"],
      rows.map((row) => [row.file, row.subject, row.issuer, row.expires, `${row.daysLeft}d`, row.state]),
    );
    for (const { file, error } of unreadable) process.stderr.write(`${file}: ${error}\n`);
  }
  return unreadable.length > 0 || rows.some(({ state }) => state !== "valid") ? 1 : 0;
}

const signing = { clock: systemClock, random: systemRandom };

function renew(folder: string, names: readonly string[]): number {
  for (const name of renewLeaves(folder, names, signing)) process.stdout.write(`${name} was renewed\n`);
  return 0;
}

function rotate(folder: string, name: AuthorityName, step: string): number {
  switch (step) {
    case "begin":
      beginRotation(folder, name, signing);
      process.stdout.write(`${name}.crt holds a second authority: it is trusted, and does not sign yet\n`);
      return 0;
    case "switch":
      switchAuthority(folder, name);
      process.stdout.write(`${name} signs by its second authority\n`);
      return renew(
        folder,
        leavesOf(folder, name, signing).map((leaf) => leaf.name),
      );
    case "finish": {
      const old = leavesOf(folder, name, signing).filter(({ isCurrent }) => !isCurrent);
      if (old.length > 0)
        throw new FlagError(
          `the authority that goes has signed ${old.map((leaf) => leaf.name).join(", ")}: call \`coxswain certs renew\` first`,
        );
      finishRotation(folder, name);
      process.stdout.write(`${name}.crt holds the new authority alone\n`);
      return 0;
    }
    case "abandon":
      abandonRotation(folder, name);
      process.stdout.write(`${name}.crt holds the first authority alone\n`);
      return 0;
    default:
      throw new FlagError(`${JSON.stringify(step)} is no step of a rotation: they are begin, switch, finish, abandon`);
  }
}
