interface Network {
  readonly first: number;
  readonly size: number;
}

/** Undefined: it is no IPv4 network. An address alone is one of size 1. */
export function parseNetwork(text: string): (Network & { readonly prefixLength: number }) | undefined {
  const [, address = "", length = "32"] = /^(\d+(?:\.\d+){3})(?:\/(\d+))?$/.exec(text) ?? [];
  const octets = address.split(".").map(Number);
  const prefixLength = Number(length);
  if (octets.length !== 4 || octets.some((octet) => octet > 255) || prefixLength > 32) return undefined;
  const size = 2 ** (32 - prefixLength);
  const number = octets.reduce((all, octet) => all * 256 + octet, 0);
  return { first: number - (number % size), size, prefixLength };
}

/** False where one is no IPv4 network. */
export function networksOverlap(left: string, right: string): boolean {
  const [a, b] = [parseNetwork(left), parseNetwork(right)];
  return a !== undefined && b !== undefined && a.first < b.first + b.size && b.first < a.first + a.size;
}

/** The n-th address of a network. @throws Error where it has none */
export function addressIn(network: string, n: number): string {
  const parsed = parseNetwork(network);
  if (!parsed || n >= parsed.size) throw new Error(`the network ${network} has no address number ${n}`);
  const number = parsed.first + n;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

/** The networks of the output of `ip -4 route show table main`, the default route aside. */
export const networksOfRoutes = (text: string): string[] =>
  text.split("\n").flatMap((line) => /^(\d[\d./]*)/.exec(line)?.[1] ?? []);
