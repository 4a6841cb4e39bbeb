import { defineFlags, FlagError, type FlagTable } from "@coxswain/component/flags";
import { apiserverFlags } from "../apiserver/apiserver-flags.js";
import { kubeApiserverFlags } from "../apiserver/kube-apiserver-flags.js";
import { unsupportedReason } from "../apiserver/unsupported-flags.js";

/** Our API server's flags, with kube-apiserver's defaults where ours differ. */
export const assetFlags = defineFlags({
  ...apiserverFlags,
  "cert-dir": {
    group: "TLS",
    type: "string",
    default: "/var/run/kubernetes",
    value: "dir",
    help: "Where apiserver.crt and apiserver.key are, unless --tls-cert-file names others. Made if they are not there.",
  },
  "bind-address": { ...apiserverFlags["bind-address"], default: "0.0.0.0", help: "The address to listen on." },
  "etcd-servers": {
    ...apiserverFlags["etcd-servers"],
    help: "Must be given. Objects are kept in memory all the same.",
  },
  "anonymous-auth": {
    ...apiserverFlags["anonymous-auth"],
    default: true,
    help: "Treat clients without credentials as system:anonymous.",
  },
  "authorization-mode": { ...apiserverFlags["authorization-mode"], default: ["AlwaysAllow"] },
  "service-cluster-ip-range": { ...apiserverFlags["service-cluster-ip-range"], default: ["10.0.0.0/24"] },
});

const isTaken = (name: string): boolean => kubeApiserverFlags.includes(name) && Object.hasOwn(assetFlags, name);

/** Without those that only `coxswain apiserver` has. */
export const documentedFlags: FlagTable = Object.fromEntries(
  Object.entries(assetFlags).filter(([name]) => isTaken(name)),
);

/** @throws FlagError in kube-apiserver's words for flags that it does not have, with the reason for those that only we do not take */
export function refuseOthers(args: readonly string[]): void {
  for (const argument of args) {
    if (argument === "--") return;
    const name = /^--([^=]+)/.exec(argument)?.[1]?.replaceAll("_", "-");
    if (name === undefined || isTaken(name)) continue;
    const reason = unsupportedReason(name);
    throw new FlagError(
      reason === undefined ? `unknown flag: --${name}` : `--${name} is a flag that Coxswain does not take: ${reason}`,
    );
  }
}
