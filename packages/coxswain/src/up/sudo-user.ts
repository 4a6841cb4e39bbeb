import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { FileOwner } from "@coxswain/component/files";

/** Who called this program by sudo. */
export interface SudoUser extends FileOwner {
  readonly home: string;
}

/** Undefined: nobody did, or root did. */
export function userBehindSudo(
  env: NodeJS.ProcessEnv = process.env,
  uid = process.geteuid?.(),
  entryOf = passwdEntry,
): SudoUser | undefined {
  const [user, group] = [env["SUDO_UID"], env["SUDO_GID"]].map((text) => Number(text ?? Number.NaN));
  if (uid !== 0 || !isId(user) || !isId(group) || user === 0) return undefined;
  // name:password:uid:gid:comment:home:shell (passwd(5))
  const home = entryOf(user).trim().split(":")[5] ?? "";
  return home.startsWith("/") ? { uid: user, gid: group, home } : undefined;
}

const isId = (id: number | undefined): id is number => Number.isSafeInteger(id) && (id as number) >= 0;

/** Users may come from elsewhere than /etc/passwd. */
const passwdEntry = (uid: number): string =>
  spawnSync("getent", ["passwd", String(uid)], { encoding: "utf8" }).stdout ?? "";

/** Where the kubeconfig of a cluster is that was started by sudo: in its own folder only root could read it. */
export const sudoKubeconfig = ({ home }: SudoUser, name: string): string =>
  join(home, ".kube", name === "default" ? "coxswain" : `coxswain-${name}`);
