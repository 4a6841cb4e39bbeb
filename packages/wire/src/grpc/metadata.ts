import type { Header } from "../http2/index.js";

/** Names in lower case. A name that ends in `-bin` carries bytes, any other printable ASCII. */
export type Metadata = ReadonlyMap<string, string | Uint8Array>;

export const encodeMetadata = (metadata: Metadata): Header[] =>
  [...metadata].map(([name, value]) => [
    name.toLowerCase(),
    typeof value === "string" ? value : Buffer.from(value).toString("base64"),
  ]);

const reserved = /^(?::|grpc-(?!trace-bin|tags-bin|status-details-bin)|content-type$|te$|user-agent$)/;

/** What the other side added, without gRPC's own headers. */
export function decodeMetadata(headers: Iterable<Header>): Metadata {
  const metadata = new Map<string, string | Uint8Array>();
  for (const [name, value] of headers)
    if (!reserved.test(name)) metadata.set(name, name.endsWith("-bin") ? Buffer.from(value, "base64") : value);
  return metadata;
}

/** `grpc-timeout`: at most eight digits and a unit. */
export function encodeTimeout(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms));
  if (whole < 1e8) return `${whole}m`;
  return `${Math.min(99_999_999, Math.ceil(whole / 1000))}S`;
}
