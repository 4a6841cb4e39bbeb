import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { makeDirectory, writeFileAtomically } from "@coxswain/component/files";
import type { Runtime } from "@coxswain/runtime";
import { readCertificates } from "@coxswain/wire/x509";
import { EarlyRenewal, isSignedByFormer } from "./early-renewal.js";
import { keepCertificate } from "./keep-certificate.js";
import { requestNodeCertificate } from "./request-certificate.js";
import { pairText } from "./rotating-identity.js";

export interface ServingOptions {
  /** In the node's own name. */
  readonly client: Client;
  readonly nodeName: string;
  readonly rootDir: string;
  /** Certificate and key in one text, from now on. */
  serve(pair: string): void;
}

/** Where upstream's kubelet has it, below its root directory. */
export const servingFile = (rootDir: string): string => join(rootDir, "pki", "kubelet-server-current.pem");

/** Pure: what the certificate of a node's server is valid for (pkg/kubelet/certificate/kubelet.go, addressesToHostnamesAndIPs). */
export const servingHosts = ({ status }: DeepReadonly<Node>): string[] =>
  [...new Set((status?.addresses ?? []).map(({ address }) => address))].filter((one) => one !== "").sort();

export interface KeptServingCertificate {
  /** The node trusts these authorities now: what another one than the first has signed is replaced. */
  trusts(bundle: string): void;
  stop(): Promise<void>;
}

/**
 * The certificate of the node's server by the cluster (`serverTLSBootstrap`): the one in its file while it is valid for the node's
 * addresses, and else, and before it ends, a new one. Until somebody has approved the first one there is none. The Node must be registered.
 */
export async function keepServingCertificate(
  runtime: Runtime,
  { client, nodeName, rootDir, serve }: ServingOptions,
): Promise<KeptServingCertificate> {
  const file = servingFile(rootDir);
  makeDirectory(dirname(file));
  const hostsNow = async (): Promise<string[]> => servingHosts(await client.core.v1.nodes().get(nodeName));
  let current = usable(readIfThere(file), { hosts: await hostsNow(), now: runtime.ioClock.now() });
  if (current !== "") serve(current);
  const ending = new AbortController();
  const early = new EarlyRenewal();
  const kept = keepCertificate(
    runtime,
    {
      what: "serving certificate",
      nodeName,
      early,
      current: () => current,
      request: async (signal) => requestNodeCertificate(runtime, { client, nodeName, hosts: await hostsNow(), signal }),
      replace(pair) {
        current = pairText(pair);
        writeFileAtomically(file, current, 0o600);
        serve(current);
      },
    },
    ending.signal,
  );
  return {
    trusts(bundle) {
      if (isSignedByFormer(current, bundle)) early.ask();
    },
    async stop() {
      ending.abort();
      await kept;
    },
  };
}

/** Pure: the text, or nothing where its certificate has ended or lacks a name. */
export function usable(
  pem: string,
  { hosts, now }: { readonly hosts: readonly string[]; readonly now: number },
): string {
  const [leaf] = readCertificates(pem);
  if (!leaf || leaf.notAfter <= now) return "";
  const { dnsNames, ipAddresses } = leaf.extensions.names;
  const valid = [...dnsNames, ...ipAddresses];
  return hosts.every((host) => valid.includes(host)) ? pem : "";
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // there was none yet
  }
}
