import { FlagError, type FlagTable, formatHelp } from "@coxswain/component/flags";
import { subcommands as apiSubcommands } from "../api-server/api-command.js";
import { apiserverFlags } from "../apiserver/apiserver-flags.js";
import { balanceFlags } from "../balance/balance-flags.js";
import { certsFlags } from "../certs/certs-command.js";
import type { Command } from "../command/command.js";
import { controllerManagerFlags } from "../controller-manager/controller-manager-flags.js";
import { dnsFlags } from "../dns/dns-flags.js";
import { envtestFlags } from "../envtest/envtest-command.js";
import { kubeconfigFlags } from "../kubeconfig/kubeconfig-command.js";
import { kubeletCommandFlags } from "../kubelet/kubelet-command-flags.js";
import { subcommands as operatorSubcommands } from "../operator/operator-command.js";
import type { Subcommand } from "../project/subcommand.js";
import { schedulerFlags } from "../scheduler/scheduler-flags.js";
import { clusterCommandFlags } from "../up/cluster-command.js";
import { upFlags } from "../up/up-flags.js";
import { type CompletedCommand, completionScript, isShell, shells } from "./completion-script.js";

/** Commands without an entry take words of their own. */
const flagsOf: Readonly<Record<string, FlagTable>> = {
  apiserver: apiserverFlags,
  "controller-manager": controllerManagerFlags,
  scheduler: schedulerFlags,
  kubelet: kubeletCommandFlags,
  dns: dnsFlags,
  balance: balanceFlags,
  kubeconfig: kubeconfigFlags,
  certs: certsFlags,
  envtest: envtestFlags,
  up: upFlags,
  down: clusterCommandFlags,
  status: clusterCommandFlags,
  logs: clusterCommandFlags,
  reset: clusterCommandFlags,
};

/** Of commands that consist of others. */
const subcommandsOf: Readonly<Record<string, readonly Subcommand[]>> = {
  operator: operatorSubcommands,
  api: apiSubcommands,
};

/** @param commands all of the program's, this one included */
export async function runCompletion(
  commands: Readonly<Record<string, Command>>,
  args: readonly string[],
): Promise<number> {
  const [shell = ""] = args;
  if (shell === "--help" || shell === "-h") {
    process.stdout.write(
      formatHelp(
        {},
        {
          usage: `coxswain completion ${shells.join("|")}`,
          description: "Prints a script that completes commands and flags. In bash: source <(coxswain completion bash)",
        },
      ),
    );
    return 0;
  }
  if (!isShell(shell)) throw new FlagError(`name a shell: ${shells.join(", ")}`);
  process.stdout.write(completionScript(shell, completed(commands)));
  return 0;
}

const completed = (commands: Readonly<Record<string, Command>>): CompletedCommand[] =>
  Object.values(commands).map(({ name, summary }) => ({
    name,
    summary,
    flags: namesOf(flagsOf[name] ?? {}),
    ...(subcommandsOf[name] && {
      subcommands: subcommandsOf[name].map((each) => ({
        name: each.name,
        summary: each.summary,
        flags: namesOf(each.flags),
      })),
    }),
  }));

const namesOf = (flags: FlagTable): string[] =>
  Object.entries(flags)
    .filter(([, flag]) => !flag.hidden)
    .map(([flag]) => flag)
    .sort();
