import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Namespace } from "./test-network.js";

const run = promisify(execFile);

/** Makes the proxy of a node forget which client goes where. Both proxies name such sets `affinity-…`. */
export async function flushAffinity({ enter: [program = "", ...args] }: Namespace): Promise<void> {
  const { stdout } = await run(program, [...args, "nft", "--json", "--terse", "list", "sets"], { maxBuffer: 1 << 26 });
  const commands = planFlush(stdout);
  if (commands === "") return;
  const flushing = run(program, [...args, "nft", "--file", "-"]);
  flushing.child.stdin?.end(commands);
  await flushing;
}

interface ListedSet {
  readonly family: string;
  readonly table: string;
  readonly name: string;
}

/** Pure: the commands for nft, from its listing. */
export function planFlush(listing: string): string {
  const { nftables } = JSON.parse(listing) as { nftables: readonly { readonly set?: ListedSet }[] };
  return nftables
    .flatMap(({ set }) =>
      set?.name.startsWith("affinity-") ? `flush set ${set.family} ${set.table} ${set.name}\n` : [],
    )
    .join("");
}
