import { isNotFound } from "@coxswain/apimachinery/status";
import { defineFlags } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags } from "../command/output-flag.js";
import { defineHistoryCommand, type HistoryCommand, type HistoryPlace } from "../history/history-call.js";
import { askHistory, historyPath } from "../history/history-group.js";
import { namedObject } from "../history/object-argument.js";
import { parsePointInTime, revisionOf } from "../history/point-in-time.js";
import { runHistoryCommand } from "../history/run-history-command.js";
import { deniedCommand } from "./denied-command.js";
import { type Explained, explanationLines } from "./explanation-lines.js";

export const whyCommand = defineHistoryCommand({
  name: "why",
  takes: "KIND/NAME",
  description:
    "Shows why an object is here, or why it is gone: each cause below what it caused, down to a person, the clock or a node.",
  flags: defineFlags({
    path: {
      group: "Question",
      type: "string",
      value: "path",
      help: "Why this member is as it is, such as spec.replicas.",
    },
    at: {
      group: "Question",
      type: "string",
      value: "moment",
      help: "Why it changed then: a revision such as r99, or a time.",
    },
    gone: { group: "Question", type: "boolean", help: "Taken for what it means: a deletion is explained anyway." },
    ...outputFlags,
  }),
  async run({ client, namespace, options, words, print, now }) {
    const object = await namedObject({ client, namespace }, words);
    const { group, version, resource } = object.resource;
    const spec = {
      object: {
        apiVersion: group === "" ? version : `${group}/${version}`,
        resource,
        name: object.name,
        ...(object.namespace !== "" && { namespace: object.namespace }),
      },
      ...(options.path !== undefined && { path: options.path }),
      ...(options.at !== undefined && { revision: await revisionOf(client, parsePointInTime(options.at, now())) }),
    };
    const status = await explain(client, spec);
    if (!status) {
      print(`nothing is known of ${words.join(" ")} in the history`);
      return 1;
    }
    if (isJsonWanted(options)) print(JSON.stringify(status, undefined, 2));
    else for (const line of explanationLines(status)) print(line);
    return 0;
  },
});

async function explain(client: HistoryPlace["client"], spec: object): Promise<Explained | undefined> {
  try {
    const { status } = await askHistory<{ status: Explained }>(client, {
      method: "POST",
      path: `${historyPath}/explanations`,
      body: { as: "value", value: { apiVersion: "history.coxswain.dev/v1alpha1", kind: "Explanation", spec } },
    });
    return status;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** `coxswain why slow AUDIT-ID` */
const slowCommand = defineHistoryCommand({
  name: "why slow",
  takes: "AUDIT-ID",
  description:
    "Shows where the time of a request went, by the Audit-Id header of its answer. The last 10,000 are known.",
  flags: defineFlags({}),
  async run({ client, words: [auditID = ""], print }) {
    const status = await explain(client, { auditID });
    if (status) for (const line of explanationLines(status)) print(line);
    else print(`no request with the audit id ${auditID} is among the last ones`);
    return status ? 0 : 1;
  },
});

/** `coxswain why`, and kubectl-why. */
export function runWhy(args: readonly string[], place?: HistoryPlace): Promise<number> {
  const at = args[0] === "--kubectl-plugin" ? 1 : 0;
  const word = args[at] ?? "";
  const subcommand = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  return subcommand
    ? runHistoryCommand(subcommand, args.toSpliced(at, 1), place)
    : runHistoryCommand(whyCommand, args, place);
}

const subcommands: Readonly<Record<string, HistoryCommand>> = { denied: deniedCommand, slow: slowCommand };
