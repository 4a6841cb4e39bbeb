import { FlagError, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { connectionLimit } from "../command/connection-limit.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { type Address, balanceConnections } from "./balance-connections.js";
import { balanceFlags } from "./balance-flags.js";

export async function runBalance(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(balanceFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(balanceFlags, {
        usage: "coxswain balance --servers host:port,… [flags]",
        description:
          "Balances TCP connections over API servers, so that clients need one address. TLS passes through: clients still authenticate to the API server.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  if (options.servers.length === 0) throw new FlagError("name the API servers: --servers 10.0.0.1:6443,10.0.0.2:6443");
  const servers = options.servers.map((text) => addressFrom("servers", text));
  const log = loggerFrom(options);
  const signal = untilSignal();
  const balancer = await balanceConnections({
    listen: addressFrom("listen", options.listen),
    servers,
    clock: systemClock,
    ...connectionLimit({ clock: systemClock, log }, { filesEach: 2 }),
    onUnreachable: ({ host, port }, error) => log.warn("an API server cannot be reached", { host, port, error }),
  });
  process.stdout.write(`Balancing ${options.listen} over ${options.servers.join(", ")}\n`);
  await signal;
  await balancer.stop();
  return 0;
}

/** @throws FlagError */
export function addressFrom(flag: string, text: string): Address {
  const [, plain, bracketed, port] = /^(?:([^:[\]]+)|\[([^\]]+)\]):(\d{1,5})$/.exec(text) ?? [];
  const host = plain ?? bracketed;
  if (host === undefined || Number(port) > 65_535)
    throw new FlagError(`--${flag} must be host:port, such as 10.0.0.1:6443, not ${JSON.stringify(text)}`);
  return { host, port: Number(port) };
}
