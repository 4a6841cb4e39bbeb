import { readFileSync } from "node:fs";
import { FlagError } from "@coxswain/component/flags";
import { type ForwardOptions, type NameServer, parseNameServer, readResolvConf } from "@coxswain/dns";

export interface ForwardFlags {
  readonly forward: readonly string[];
  readonly stubDomains: readonly string[];
  /** The text of the file; undefined where there is none. */
  readonly resolvConf: string | undefined;
}

/** @throws FlagError */
export function forwardOptionsFrom({ forward, stubDomains, resolvConf }: ForwardFlags): ForwardOptions {
  const domains = new Map<string, NameServer[]>();
  for (const text of stubDomains) {
    const equals = text.indexOf("=");
    const domain = text.slice(0, Math.max(0, equals)).toLowerCase().replace(/\.$/, "");
    if (domain === "") throw new FlagError(`--stub-domains must be domain=address, not ${JSON.stringify(text)}`);
    domains.set(domain, [...(domains.get(domain) ?? []), nameServerFrom("stub-domains", text.slice(equals + 1))]);
  }
  const named = forward.map((text) => nameServerFrom("forward", text));
  return {
    servers: named.length > 0 ? named : readResolvConf(resolvConf ?? ""),
    stubDomains: domains,
  };
}

function nameServerFrom(flag: string, text: string): NameServer {
  const server = parseNameServer(text);
  if (!server)
    throw new FlagError(`--${flag} takes addresses such as 10.0.0.53 or [fd00::53]:5353, not ${JSON.stringify(text)}`);
  return server;
}

/** Of /etc/resolv.conf; none where there is no such file. */
export const machineNameServers = (file = "/etc/resolv.conf"): NameServer[] => readResolvConf(readIfThere(file) ?? "");

export function readIfThere(file: string): string | undefined {
  if (file === "") return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
