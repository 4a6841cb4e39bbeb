import { defineFlags } from "@coxswain/component/flags";

const ignored = { group: "Without effect", type: "string", help: "Nothing is stored here." } as const;
const ignoredSwitch = { group: "Without effect", type: "boolean", help: "Nothing is stored here." } as const;

/** Those of etcd that test environments pass, and those that their users set most. */
export const etcdFlags = defineFlags({
  "listen-client-urls": {
    group: "Serving",
    type: "strings",
    default: ["http://localhost:2379"],
    value: "url,…",
    help: "Where /health is answered. Only http.",
  },
  "advertise-client-urls": ignored,
  "listen-peer-urls": ignored,
  "initial-advertise-peer-urls": ignored,
  "initial-cluster": ignored,
  "initial-cluster-state": ignored,
  "initial-cluster-token": ignored,
  name: ignored,
  "data-dir": ignored,
  "wal-dir": ignored,
  "snapshot-count": ignored,
  "quota-backend-bytes": ignored,
  "max-request-bytes": ignored,
  "max-txn-ops": ignored,
  "auto-compaction-mode": ignored,
  "auto-compaction-retention": ignored,
  "heartbeat-interval": ignored,
  "election-timeout": ignored,
  "listen-metrics-urls": ignored,
  logger: ignored,
  "log-level": ignored,
  "log-outputs": ignored,
  "unsafe-no-fsync": ignoredSwitch,
  "enable-pprof": ignoredSwitch,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
