import { closeSync, constants, openSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** An address that the kernel takes; the field for it has 108 bytes on Linux and 104 elsewhere. */
const maxAddressBytes = 103;

export interface SocketAddress {
  readonly path: string;
  /** Once nobody needs the address any more. */
  release(): void;
}

/** A form of `path` that is short enough for a socket's address: as it is, from here, or through an open directory. */
export function socketAddress(path: string): SocketAddress {
  const near = relative(process.cwd(), path);
  const fits = [path, near].find((candidate) => candidate !== "" && Buffer.byteLength(candidate) <= maxAddressBytes);
  if (fits !== undefined || process.platform !== "linux") return { path: fits ?? path, release: () => undefined };
  const directory = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: join("/proc/self/fd", String(directory), basename(path)), release: () => closeSync(directory) };
}
