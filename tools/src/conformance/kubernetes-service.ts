import { runProgram } from "../clients/index.js";
import { ensureProgram } from "../upstream/index.js";

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
  spec: {
    type: "ClusterIP",
    clusterIP: "10.0.0.1",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
  },
};

/**
 * Makes the service that stands for the API server unless the server keeps it itself. The suite reads the cluster's IP
 * family from it before any test, so without it nothing can be learnt about the rest. Answers whether it was missing.
 */
export async function ensureKubernetesService(kubeconfig: string): Promise<boolean> {
  const kubectl = await ensureProgram("kubectl");
  const env = { KUBECONFIG: kubeconfig };
  const found = await runProgram(
    kubectl,
    ["get", "service", "kubernetes", "--namespace=default", "--ignore-not-found", "--output=name"],
    { env },
  );
  if (found.code === 0 && found.stdout.trim() !== "") return false;
  const made = await runProgram(kubectl, ["create", "-f", "-"], { env, input: JSON.stringify(service) });
  if (made.code !== 0) throw new Error(`cannot make the service default/kubernetes: ${made.stderr}`);
  return true;
}
