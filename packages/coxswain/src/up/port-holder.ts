import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** As `/proc/net/tcp` writes a socket that listens. */
const listening = "0A";
/** Processes that are looked at. */
const maxProcesses = 20_000;

/** Pure: the inode of the socket that listens on a port, from the content of `/proc/net/tcp` or `tcp6`. */
export function listenerInode(table: string, port: number): string | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const line of table.split("\n")) {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    if (local.endsWith(wanted) && state === listening) return inode;
  }
  return undefined;
}

/** The process that listens on a port of this machine, as far as Linux shows it to this user: `node (pid 42)`. */
export function portHolder(port: number): string | undefined {
  const inode = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => listenerInode(readOr(path), port)).find(Boolean);
  if (inode === undefined) return undefined;
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name));
  const pid = pids.slice(0, maxProcesses).find((name) => hasSocket(name, `socket:[${inode}]`));
  return pid && `${readOr(`/proc/${pid}/comm`).trim()} (pid ${pid})`;
}

const hasSocket = (pid: string, socket: string): boolean =>
  namesIn(`/proc/${pid}/fd`).some((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`) === socket;
    } catch {
      return false; // closed meanwhile
    }
  });

/** Empty where there is nothing to be seen: another system, another user's process, or one that has ended. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
