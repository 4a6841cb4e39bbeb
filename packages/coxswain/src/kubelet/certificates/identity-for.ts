import type { ClientConfig } from "@coxswain/client/node";
import { FlagError } from "@coxswain/component/flags";
import type { Runtime } from "@coxswain/runtime";
import type { RealNodeConfig } from "../real-config-file.js";
import { createRotatingIdentity, type RotatingIdentity } from "./rotating-identity.js";

/** With `rotateCertificates` the node's client certificate is replaced before it ends. Undefined: it stays as it is. @throws FlagError */
export function identityFor(
  runtime: Runtime,
  { clientCertificate }: ClientConfig,
  { config, nodeName }: { readonly config: RealNodeConfig; readonly nodeName: string },
): RotatingIdentity | undefined {
  if (!config.rotateCertificates) return undefined;
  const files = [clientCertificate?.cert, clientCertificate?.key].map((pem) => pem && "file" in pem && pem.file);
  if (!files[0] || files[0] !== files[1])
    throw new FlagError(
      "rotateCertificates: the kubeconfig's client-certificate and client-key must be one file, which is replaced",
    );
  return createRotatingIdentity(runtime, { file: files[0], nodeName });
}
