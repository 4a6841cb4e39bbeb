import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureAuthority } from "@coxswain/component/certificates";
import { defineFlags, FlagError, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { clientKubeconfig } from "../component/client-kubeconfig.js";

/** The names of `kubeadm kubeconfig user`, where it has them. */
export const kubeconfigFlags = defineFlags({
  "client-name": { group: "User", type: "string", value: "name", help: "Who the certificate is for." },
  org: { group: "User", type: "strings", value: "group,…", help: "Groups that the user is a member of." },
  "validity-period": { group: "User", type: "duration", default: "8760h0m0s", help: "How long the certificate lasts." },
  server: {
    group: "Cluster",
    type: "string",
    default: "https://127.0.0.1:6443",
    value: "url",
    help: "The API server, or the load balancer in front of several.",
  },
  "data-dir": {
    group: "Cluster",
    type: "string",
    default: ".coxswain",
    value: "dir",
    help: "The data directory of an API server: its pki folder has the authority that signs.",
  },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

export async function runKubeconfig(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(kubeconfigFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(kubeconfigFlags, {
        usage: "coxswain kubeconfig --client-name NAME [flags]",
        description: "Prints a kubeconfig with a new client certificate, signed by the authority of a data directory.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  const { clientName } = options;
  if (clientName === undefined) throw new FlagError("name the user of the kubeconfig with --client-name");
  const folder = join(resolve(options.dataDir), "pki");
  if (!existsSync(join(folder, "ca.crt")))
    throw new FlagError(`there is no authority in ${folder}: --data-dir names the data directory of an API server`);
  const signing = { clock: systemClock, random: systemRandom };
  const kept = ensureAuthority(folder, "ca", { ...signing, commonName: "kubernetes" });
  const { org: groups, server, validityPeriod: validityMs } = options;
  process.stdout.write(clientKubeconfig(kept, { clientName, groups, server, validityMs, ...signing }));
  return 0;
}
