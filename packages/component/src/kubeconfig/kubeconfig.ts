import { dirname } from "node:path";
import { type FileOwner, makeDirectory, writeFileAtomically } from "../files/index.js";

export interface KubeconfigOptions {
  /** For example `https://127.0.0.1:6443`. */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Of the context and the cluster. @default "coxswain" */
  readonly name?: string;
  /** What the user is called in the file. @default the name with `-admin` */
  readonly user?: string;
}

/** A kubeconfig with one context, all credentials inside it. */
export function formatKubeconfig(options: KubeconfigOptions): string {
  const name = scalar(options.name ?? "coxswain");
  const user = scalar(options.user ?? `${options.name ?? "coxswain"}-admin`);
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    certificate-authority-data: ${base64(options.certificateAuthority)}
    server: ${scalar(options.server)}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${user}
current-context: ${name}
preferences: {}
users:
- name: ${user}
  user:
    client-certificate-data: ${base64(options.clientCertificate)}
    client-key-data: ${base64(options.clientKey)}
`;
}

/** Replaces the file in one step; only its owner may read it. Folders on the way are made. */
export function writeKubeconfig(path: string, options: KubeconfigOptions, owner?: FileOwner): void {
  makeDirectory(dirname(path), owner);
  writeFileAtomically(path, formatKubeconfig(options), 0o600, owner);
}

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Plain where YAML certainly reads it back as this string, else in double quotes (a JSON string is a YAML string). */
const scalar = (text: string): string =>
  /^[a-zA-Z][a-zA-Z0-9.:/@_-]*[a-zA-Z0-9]$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
