import { readFileSync } from "node:fs";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";

/** What keeps the data, with all that is needed to open it. */
export type Engine = { readonly name: "lmdb" } | { readonly name: "memory" } | EtcdEngine;

export interface EtcdEngine {
  readonly name: "etcd";
  readonly servers: readonly string[];
  /** Where the cluster's keys begin, without a slash at the end: `/registry`. */
  readonly prefix: string;
  /** PEM texts. */
  readonly tls: { readonly ca?: string; readonly certificate?: string; readonly key?: string };
  readonly user?: { readonly name: string; readonly password: string };
  readonly compactionIntervalMs: number;
}

export const etcdFlags = defineFlags({
  "etcd-servers": {
    group: "Store",
    type: "strings",
    value: "url,…",
    help: "The members of an etcd cluster, as https://host:2379. Naming them chooses the storage etcd.",
  },
  "etcd-cafile": {
    group: "Store",
    type: "string",
    value: "file",
    help: "The authority that etcd's certificates come from. Default: those that the system trusts.",
  },
  "etcd-certfile": { group: "Store", type: "string", value: "file", help: "The certificate to show to etcd." },
  "etcd-keyfile": { group: "Store", type: "string", value: "file", help: "The key of that certificate." },
  "etcd-prefix": {
    group: "Store",
    type: "string",
    default: "/registry",
    value: "prefix",
    help: "Where this cluster's keys begin in etcd.",
  },
  "etcd-user": {
    group: "Store",
    type: "string",
    value: "name",
    help: "The user to log in to etcd as. Default: COXSWAIN_ETCD_USER of the environment, or nobody.",
  },
  "etcd-password-file": {
    group: "Store",
    type: "string",
    value: "file",
    help: "A file with that user's password. Default: COXSWAIN_ETCD_PASSWORD of the environment.",
  },
  "etcd-compaction-interval": {
    group: "Store",
    type: "duration",
    default: "5m0s",
    min: "0s",
    help: "History in etcd older than this is forgotten. 0: never by this server.",
  },
});

export type EtcdOptions = OptionsOf<typeof etcdFlags>;

export interface EngineOptions extends EtcdOptions {
  readonly storage: string;
}

/** @param given the names of the flags that the user gave  @throws FlagError */
export function engineFrom(
  options: EngineOptions,
  given: ReadonlySet<string>,
  environment: NodeJS.ProcessEnv = process.env,
): Engine {
  const etcd = options.storage === "etcd" || (options.etcdServers.length > 0 && !given.has("storage"));
  if (etcd) return etcdFrom(options, environment);
  const stray = [...given].find((name) => Object.hasOwn(etcdFlags, name));
  if (stray !== undefined) throw new FlagError(`--${stray} is for --storage etcd, not for ${options.storage}`);
  return { name: options.storage === "memory" ? "memory" : "lmdb" };
}

function etcdFrom(options: EngineOptions, environment: NodeJS.ProcessEnv): EtcdEngine {
  if (options.etcdServers.length === 0) throw new FlagError("--storage etcd needs --etcd-servers");
  for (const server of options.etcdServers)
    if (!/^(https?|unix):\/\/./.test(server))
      throw new FlagError(`--etcd-servers must be URLs such as https://10.0.0.1:2379, not ${JSON.stringify(server)}`);
  if ((options.etcdCertfile === undefined) !== (options.etcdKeyfile === undefined))
    throw new FlagError("--etcd-certfile and --etcd-keyfile go together");
  const ca = readGiven("etcd-cafile", options.etcdCafile);
  const certificate = readGiven("etcd-certfile", options.etcdCertfile);
  const key = readGiven("etcd-keyfile", options.etcdKeyfile);
  const user = userFrom(options, environment);
  return {
    name: "etcd",
    servers: options.etcdServers,
    prefix: `/${options.etcdPrefix.split("/").filter(Boolean).join("/")}`,
    tls: {
      ...(ca !== undefined && { ca }),
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
    },
    ...(user && { user }),
    compactionIntervalMs: options.etcdCompactionInterval,
  };
}

/** A password never stands on the command line, where every user of the machine can read it. */
function userFrom(
  options: EngineOptions,
  environment: NodeJS.ProcessEnv,
): { name: string; password: string } | undefined {
  const name = options.etcdUser ?? environment["COXSWAIN_ETCD_USER"];
  const password =
    readGiven("etcd-password-file", options.etcdPasswordFile)?.replace(/\r?\n$/, "") ??
    environment["COXSWAIN_ETCD_PASSWORD"];
  if (name === undefined || name === "") return undefined;
  if (password === undefined)
    throw new FlagError(
      `etcd's user ${name} needs a password: name a file with --etcd-password-file, or set COXSWAIN_ETCD_PASSWORD`,
    );
  return { name, password };
}

function readGiven(flag: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (err) {
    throw new FlagError(`--${flag}: ${err instanceof Error ? err.message : String(err)}`);
  }
}
