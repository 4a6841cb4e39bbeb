import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "../command/log-flags.js";

export const balanceFlags = defineFlags({
  listen: {
    group: "Load balancer",
    type: "string",
    default: "127.0.0.1:6443",
    value: "host:port",
    help: "Where clients connect. API servers have certificates for localhost and for the addresses that they listen on.",
  },
  servers: {
    group: "Load balancer",
    type: "strings",
    value: "host:port,…",
    help: "The API servers. A connection goes to the one with the fewest; one that cannot be reached is left out for a while.",
  },
  ...logFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
