import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import type { CompactionOptions } from "@coxswain/storage/local";
import { type Engine, engineFrom, etcdFlags } from "../engine/engine-flags.js";
import { type EtcdServing, etcdServingFrom, serveEtcdFlags } from "../store/serve-etcd-flags.js";

/** What keeps the data, and how. */
export const storeFlags = defineFlags({
  storage: {
    group: "Store",
    type: "string",
    default: "lmdb",
    choices: ["lmdb", "memory", "etcd"],
    help: "What keeps the data: lmdb on disk, memory, which forgets everything when the server ends, or an etcd cluster.",
  },
  "store-history-age": {
    group: "Store",
    type: "duration",
    default: "5m0s",
    min: "1s",
    help: "How long lmdb and memory keep their own history, from which watches and lists of pages go on.",
  },
  "store-history-size": {
    group: "Store",
    type: "integer",
    default: 256,
    min: 1,
    value: "MiB",
    help: "How much of that they keep at most, in MiB of values.",
  },
  ...etcdFlags,
  ...serveEtcdFlags,
  "encryption-provider-config": {
    group: "Store",
    type: "string",
    value: "file",
    help: "An EncryptionConfiguration: which resources are encrypted at rest, and with what keys.",
  },
  "encryption-provider-config-automatic-reload": {
    group: "Store",
    type: "boolean",
    help: "Let changes of that file take effect while the server runs, at once or at SIGHUP. A file that cannot be used changes nothing.",
  },
});

export interface StoreSetup {
  readonly engine: Engine;
  /** A file with an EncryptionConfiguration. @default values are kept as they are */
  readonly encryptionProviderConfig: string | undefined;
  /** Whether changes of that file take effect while the server runs. */
  readonly reloadEncryption: boolean;
  /** Where it is served by etcd's protocol, as it is kept. @default nowhere */
  readonly servedAsEtcd: EtcdServing | undefined;
  /** Of an embedded store. */
  readonly compaction: CompactionOptions;
}

/** @param given the names of the flags that the user gave  @throws FlagError */
export function storeFrom(options: OptionsOf<typeof storeFlags>, given: ReadonlySet<string>): StoreSetup {
  const { encryptionProviderConfig, encryptionProviderConfigAutomaticReload: reloadEncryption } = options;
  if (reloadEncryption && encryptionProviderConfig === undefined)
    throw new FlagError("--encryption-provider-config-automatic-reload must be set with --encryption-provider-config");
  const engine = engineFrom(options, given);
  const servedAsEtcd = etcdServingFrom(options, given);
  if (engine.name === "etcd" && servedAsEtcd) throw new FlagError("--serve-etcd: the data is in an etcd already");
  const stray = ["store-history-age", "store-history-size"].find((name) => given.has(name));
  if (engine.name === "etcd" && stray !== undefined)
    throw new FlagError(`--${stray} is for lmdb and memory; etcd has --etcd-compaction-interval`);
  const compaction = { ageMs: options.storeHistoryAge, bytes: options.storeHistorySize * 1024 * 1024 };
  return { engine, encryptionProviderConfig, reloadEncryption, servedAsEtcd, compaction };
}
