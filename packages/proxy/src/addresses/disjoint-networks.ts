import { parseIp } from "@coxswain/apimachinery/validation";
import { type Network, readAddress, readNetwork } from "./family.js";

/**
 * The same addresses without overlaps, which nft refuses inside one set: networks are nested or apart, so whatever lies inside
 * another goes. Single addresses may be among them; what is neither is left out.
 */
export function disjointNetworks(texts: readonly string[]): string[] {
  const networks = texts.flatMap((text) => {
    const network = readNetwork(text.includes("/") ? text : wholeAddress(text));
    return network === undefined ? [] : [{ network, first: firstOf(network) }];
  });
  // By first address, the larger one before those inside it: whatever is inside another is inside the last one kept.
  networks.sort(
    (a, b) => Buffer.compare(a.first.bytes, b.first.bytes) || a.network.prefixLength - b.network.prefixLength,
  );
  const kept: Network[] = [];
  for (const { network, first } of networks) if (!kept.at(-1)?.contains(first.text)) kept.push(network);
  return kept.map(({ text }) => text);
}

function firstOf({ text }: Network): { readonly text: string; readonly bytes: Uint8Array } {
  const [first = ""] = text.split("/");
  return { text: first, bytes: parseIp(first)?.bytes ?? new Uint8Array() };
}

const wholeAddress = (text: string): string => `${text}/${readAddress(text)?.family === "IPv6" ? 128 : 32}`;
