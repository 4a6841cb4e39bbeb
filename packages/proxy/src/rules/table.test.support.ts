import type { TableSettings } from "./table-settings.js";

/** A table whose pods are in 10.0.0.0/16. */
export const testTable = (more: Partial<TableSettings> = {}): TableSettings => ({
  family: "IPv4",
  masqueradeBit: 14,
  masqueradeAll: false,
  fromPods:
    more.family === "IPv6"
      ? { is: "ip6 saddr fd00:1::/64", isNot: "ip6 saddr != fd00:1::/64" }
      : { is: "ip saddr 10.0.0.0/16", isNot: "ip saddr != 10.0.0.0/16" },
  nodePortAddresses: undefined,
  serviceNetworks: more.family === "IPv6" ? ["fd00:96::/112"] : ["10.96.0.0/12"],
  ...more,
});
