import { existsSync } from "node:fs";
import { lchown } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Kubeconfig,
  removeEntry,
  setCluster,
  setContext,
  setCurrentContext,
  setUser,
} from "@coxswain/client/kubeconfig";
import { kubeconfigFiles, updateKubeconfig } from "@coxswain/client/node";
import type { ClusterCertificates } from "@coxswain/component/certificates";
import { makeDirectory } from "@coxswain/component/files";
import { type SudoUser, userBehindSudo } from "./sudo-user.js";

const contextOf = (name: string): string => (name === "default" ? "coxswain" : `coxswain-${name}`);

/** The file that kubectl changes: the first of KUBECONFIG, or ~/.kube/config of the user who called. */
const ownFile = (user: SudoUser | undefined): string =>
  user && !process.env["KUBECONFIG"]
    ? join(user.home, ".kube", "config")
    : (kubeconfigFiles(process.env)[0] ?? join(homedir(), ".kube", "config"));

/** Adds the cluster to the user's kubeconfig and makes it the current context. Answers the file and the context. */
export async function mergeKubeconfig(
  name: string,
  { url, certificates }: { readonly url: string; readonly certificates: ClusterCertificates },
): Promise<{ readonly file: string; readonly context: string }> {
  const context = contextOf(name);
  const base64 = (pem: string): string => Buffer.from(pem).toString("base64");
  const user = userBehindSudo();
  const file = ownFile(user);
  await updateAs(user, file, (kubeconfig) => {
    const withCluster = setCluster(kubeconfig, context, {
      server: url,
      "certificate-authority-data": base64(certificates.ca.certificate),
    });
    const withUser = setUser(withCluster, context, {
      "client-certificate-data": base64(certificates.admin.certificate),
      "client-key-data": base64(certificates.admin.key),
    });
    return setCurrentContext(setContext(withUser, context, { cluster: context, user: context }), context);
  });
  return { file, context };
}

/** Takes the cluster out again; a current context that named it names none. */
export async function unmergeKubeconfig(name: string): Promise<void> {
  const user = userBehindSudo();
  if (!existsSync(ownFile(user))) return;
  await updateAs(user, ownFile(user), (kubeconfig) => withoutContext(kubeconfig, contextOf(name)));
}

/** What root replaces stays the user's. */
async function updateAs(
  user: SudoUser | undefined,
  file: string,
  edit: (config: Kubeconfig) => Kubeconfig,
): Promise<void> {
  makeDirectory(dirname(file), user);
  await updateKubeconfig(file, edit);
  if (user) await lchown(file, user.uid, user.gid);
}

function withoutContext(kubeconfig: Kubeconfig, context: string): Kubeconfig {
  let left = kubeconfig;
  for (const section of ["contexts", "clusters", "users"] as const) left = removeEntry(left, section, context);
  return left["current-context"] === context ? setCurrentContext(left, "") : left;
}
