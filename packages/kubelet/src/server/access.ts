import { KubeletRefusal } from "./kubelet-source.js";

/** Whom a connection inside the process is of. */
export interface InsideUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What a client presents. */
export interface Credentials {
  /** Of a connection inside the process. */
  readonly user: InsideUser | undefined;
}

/** Decides who may ask a node's kubelet for what. */
export interface KubeletAccess {
  /** @throws KubeletRefusal 401, 403 */
  check(credentials: Credentials, asked: { readonly method: string; readonly path: string }): Promise<void>;
}

/** The API server alone, by the name that its kubelet client certificate has. */
export const apiServerOnly: KubeletAccess = {
  async check({ user }) {
    if (!user) throw new KubeletRefusal(401, "Unauthorized");
    if (user.name !== "kube-apiserver-kubelet-client" && !user.groups.includes("system:masters"))
      throw new KubeletRefusal(403, `Forbidden (user=${user.name})\n`);
  },
};
