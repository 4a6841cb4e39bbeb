import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Secret } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { makeDirectory, writeFileAtomically } from "@coxswain/component/files";
import { FlagError } from "@coxswain/component/flags";
import type { RandomSource } from "@coxswain/runtime/random";
import { decrypt, encrypt } from "./certificate-key.js";

/** Of kubeadm (cmd/kubeadm/app/phases/copycerts): either finds what the other uploaded. */
export const sharedKeysName = "kubeadm-certs";

/** What every control-plane machine has, by its file below `pki`; kubeadm's names of the Secret are the same without folders. */
const pkiFiles = ["ca.crt", "ca.key", "front-proxy-ca.crt", "front-proxy-ca.key", "sa.pub", "sa.key"];

/** Of a client of etcd; there are none where etcd asks for none. */
export interface EtcdFiles {
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const etcdEntries = [
  { entry: "external-etcd-ca.crt", of: "ca" },
  { entry: "external-etcd.crt", of: "certificate" },
  { entry: "external-etcd.key", of: "key" },
] as const;

/** Where a machine that joined has them. */
export const etcdFilesIn = (dataDir: string): { ca: string; certificate: string; key: string } => {
  const folder = join(dataDir, "pki", "etcd");
  return { ca: join(folder, "ca.crt"), certificate: join(folder, "client.crt"), key: join(folder, "client.key") };
};

/** The Secret's data, encrypted entry by entry. What there is no file of is empty. @throws FlagError without an authority */
export function encryptKeys(
  { pki, etcd }: { readonly pki: string; readonly etcd: EtcdFiles },
  { key, random }: { readonly key: Buffer; readonly random: Pick<RandomSource, "bytes"> },
): Record<string, string> {
  const missing = pkiFiles.filter((name) => !existsSync(join(pki, name)));
  if (missing.length > 0)
    throw new FlagError(`${pki} lacks ${missing.join(", ")}: --data-dir names the data directory of an API server`);
  const encrypted = (file: string | undefined): string =>
    file === undefined ? "" : encrypt(readFileSync(file), key, random).toString("base64");
  return Object.fromEntries([
    ...pkiFiles.map((name) => [name, encrypted(join(pki, name))]),
    ...etcdEntries.map(({ entry, of }) => [entry, encrypted(etcd[of])]),
  ]) as Record<string, string>;
}

/** Writes what the Secret holds. Answers whether a client of etcd is among it. @throws FlagError for another key, before anything is written */
export function writeKeys({ data = {} }: DeepReadonly<Secret>, dataDir: string, key: Buffer): { hasEtcd: boolean } {
  const plain = new Map(
    Object.entries(data).flatMap(([name, text]) =>
      text === "" ? [] : [[name, decrypt(Buffer.from(text, "base64"), key)] as const],
    ),
  );
  const missing = pkiFiles.find((name) => !plain.has(name));
  if (missing !== undefined) throw new FlagError(`the Secret ${sharedKeysName} has no ${missing}`);
  const files = etcdFilesIn(dataDir);
  const write = (file: string, content: Buffer | undefined): void => {
    if (content === undefined) return;
    makeDirectory(dirname(file));
    writeFileAtomically(file, content.toString(), file.endsWith(".key") ? 0o600 : 0o644);
  };
  makeDirectory(join(dataDir, "pki"));
  for (const name of pkiFiles) write(join(dataDir, "pki", name), plain.get(name));
  for (const { entry, of } of etcdEntries) write(files[of], plain.get(entry));
  return { hasEtcd: plain.has("external-etcd-ca.crt") };
}
