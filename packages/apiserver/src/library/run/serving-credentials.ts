import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { ensureAuthority, ensureLeaf, type KeptAuthority } from "@coxswain/component/certificates";
import { makeDirectory } from "@coxswain/component/files";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import type { Runtime } from "@coxswain/runtime";
import type { ServerConfig } from "./complete.js";

export interface ServingCredentials {
  readonly certificate: string;
  readonly key: string;
}

const hosts = (): readonly string[] => [...new Set([hostname(), "localhost", "127.0.0.1", "::1"])];

/** The certificate of HTTPS: of the files that are named, or kept in the folder and renewed at the start. */
export function servingCredentials(config: ServerConfig, runtime: Runtime): ServingCredentials {
  const { directory, files } = config.certificates;
  if (files) return { certificate: readFileSync(files.certificate, "utf8"), key: readFileSync(files.key, "utf8") };
  const { ioClock: clock, random } = runtime;
  const authority = ownAuthority(config, runtime);
  const { certificate, key } = ensureLeaf(directory, "apiserver", authority, {
    clock,
    random,
    commonName: hostname(),
    hosts: hosts(),
  });
  return { certificate: certificate + authority.certificate, key };
}

/** For a server without a cluster: the authority of its users, in PEM. */
export const userAuthority = (config: ServerConfig, runtime: Runtime): string =>
  ownAuthority(config, runtime).certificate;

/** A kubeconfig of the first user, who may do anything. Returns its path. */
export function writeFirstUser(
  config: ServerConfig,
  { runtime, name, port }: { readonly runtime: Runtime; readonly name: string; readonly port: number },
): string {
  const { directory } = config.certificates;
  const { ioClock: clock, random } = runtime;
  const authority = ownAuthority(config, runtime);
  const admin = ensureLeaf(directory, "admin", authority, {
    clock,
    random,
    commonName: "admin",
    organizations: ["system:masters"],
  });
  const kubeconfig = join(directory, "admin.conf");
  writeKubeconfig(kubeconfig, {
    server: `https://127.0.0.1:${port}`,
    certificateAuthority: authority.certificate,
    clientCertificate: admin.certificate,
    clientKey: admin.key,
    name,
  });
  return kubeconfig;
}

function ownAuthority(
  { certificates: { directory } }: ServerConfig,
  { ioClock: clock, random }: Runtime,
): KeptAuthority {
  makeDirectory(directory);
  return ensureAuthority(directory, "ca", { clock, random, commonName: `${hostname()}-ca` });
}
