import { homedir } from "node:os";
import { join } from "node:path";
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

const contextOf = (name: string): string => (name === "default" ? "coxswain" : `coxswain-${name}`);

/** The file that kubectl changes: the first of KUBECONFIG, or ~/.kube/config. */
const ownFile = (): string => kubeconfigFiles(process.env)[0] ?? join(homedir(), ".kube", "config");

/** Adds the cluster to the user's kubeconfig and makes it the current context. Answers the file and the context. */
export async function mergeKubeconfig(
  name: string,
  { url, certificates }: { readonly url: string; readonly certificates: ClusterCertificates },
): Promise<{ readonly file: string; readonly context: string }> {
  const context = contextOf(name);
  const base64 = (pem: string): string => Buffer.from(pem).toString("base64");
  const file = ownFile();
  await updateKubeconfig(file, (kubeconfig) => {
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
export const unmergeKubeconfig = (name: string): Promise<void> =>
  updateKubeconfig(ownFile(), (kubeconfig) => withoutContext(kubeconfig, contextOf(name)));

function withoutContext(kubeconfig: Kubeconfig, context: string): Kubeconfig {
  let left = kubeconfig;
  for (const section of ["contexts", "clusters", "users"] as const) left = removeEntry(left, section, context);
  return left["current-context"] === context ? setCurrentContext(left, "") : left;
}
