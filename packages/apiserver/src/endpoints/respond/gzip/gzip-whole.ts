import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip, gzipHeaders, gzipThreshold } from "./accepts-gzip.js";

const compress = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/** A long answer for a client that asks for gzip; undefined: it goes out as it is. */
export function gzipWhole(
  bytes: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<{ bytes: Uint8Array; headers: typeof gzipHeaders }> | undefined {
  if (bytes.length <= gzipThreshold || !acceptsGzip(acceptEncoding)) return undefined;
  return compress(bytes, { level: 1 }).then((short) => ({ bytes: short, headers: gzipHeaders }));
}
