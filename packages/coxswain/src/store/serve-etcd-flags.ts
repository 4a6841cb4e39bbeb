import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";

/** A store behind etcd's protocol: docs/etcd-protocol.md. */
export const serveEtcdFlags = defineFlags({
  "serve-etcd": {
    group: "Store",
    type: "string",
    value: "url",
    help: "Serve the store by etcd's protocol, to etcdctl and other API servers: unix:///path/to/socket, or https://127.0.0.1:2379. Who connects reads and writes everything.",
  },
  "serve-etcd-cert-file": {
    group: "Store",
    type: "string",
    value: "file",
    help: "The certificate shown there. Default: one of the authority in pki/etcd of the data directory.",
  },
  "serve-etcd-key-file": { group: "Store", type: "string", value: "file", help: "The key of that certificate." },
  "serve-etcd-trusted-ca-file": {
    group: "Store",
    type: "string",
    value: "file",
    help: "The authority whose clients may connect. Default: that of pki/etcd.",
  },
});

/** Where a store is served, and to whom. */
export type EtcdServing =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly tls: EtcdServingTls | undefined };

/** PEM texts. Undefined as a whole: certificates of the data directory. */
export interface EtcdServingTls {
  readonly certificate: string;
  readonly key: string;
  readonly clientCa: string;
}

/** Undefined: it is not served. @throws FlagError */
export function etcdServingFrom(
  options: OptionsOf<typeof serveEtcdFlags>,
  given: ReadonlySet<string>,
): EtcdServing | undefined {
  const { serveEtcd: url } = options;
  const files = ["serve-etcd-cert-file", "serve-etcd-key-file", "serve-etcd-trusted-ca-file"].filter((name) =>
    given.has(name),
  );
  if (url === undefined) {
    if (files[0] !== undefined) throw new FlagError(`--${files[0]} is for --serve-etcd`);
    return undefined;
  }
  const path = /^unix:\/\/(.+)$/.exec(url)?.[1];
  if (path !== undefined) {
    if (files[0] !== undefined) throw new FlagError(`--${files[0]} is for --serve-etcd https://…; a socket has no TLS`);
    return { kind: "socket", path: resolve(path) };
  }
  if (files.length !== 0 && files.length !== 3)
    throw new FlagError(
      "--serve-etcd-cert-file, --serve-etcd-key-file and --serve-etcd-trusted-ca-file go together: all of them or none",
    );
  return { kind: "tcp", ...addressOf(url), tls: tlsOf(options) };
}

function addressOf(text: string): { host: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:")
    throw new FlagError("--serve-etcd: who connects reads and writes everything, so it is https:// or unix://");
  if (url?.protocol !== "https:" || url.pathname !== "/")
    throw new FlagError(
      `--serve-etcd must be https://127.0.0.1:2379 or unix:///path/to/socket, not ${JSON.stringify(text)}`,
    );
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: url.port === "" ? 443 : Number(url.port) };
}

function tlsOf(options: OptionsOf<typeof serveEtcdFlags>): EtcdServingTls | undefined {
  const { serveEtcdCertFile: cert, serveEtcdKeyFile: key, serveEtcdTrustedCaFile: ca } = options;
  if (cert === undefined || key === undefined || ca === undefined) return undefined;
  return { certificate: textOf("cert", cert), key: textOf("key", key), clientCa: textOf("trusted-ca", ca) };
}

function textOf(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new FlagError(`--serve-etcd-${flag}-file: ${(error as Error).message}`);
  }
}
