import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import type { ResourceSlice } from "@coxswain/api/resource/v1";
import { attributeValues, type CertificateRequest, decodeCertificateRequest } from "@coxswain/wire/x509";
import { refuse } from "./refuse.js";
import type { Restriction } from "./restriction.js";

const commonName = "2.5.4.3";
const kubeletSigners = new Set(["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"]);

export const restrictLeases: Restriction = (_deps, node, attributes) => {
  if (attributes.namespace !== "kube-node-lease")
    throw refuse(attributes, 'can only access leases in the "kube-node-lease" system namespace');
  const name = attributes.operation === "CREATE" ? attributes.object?.metadata.name : attributes.name;
  if (name !== node) throw refuse(attributes, "can only access node lease with the same name as the requesting node");
};

export const restrictCsiNodes: Restriction = (_deps, node, attributes) => {
  const name = attributes.operation === "CREATE" ? attributes.object?.metadata.name : attributes.name;
  if (name !== node) throw refuse(attributes, "can only access CSINode with the same name as the requesting node");
};

/** The node authorizer does not see what is created, nor each of a collection that is deleted. */
export const restrictResourceSlices: Restriction = (_deps, node, attributes) => {
  const { operation } = attributes;
  if (operation !== "CREATE" && operation !== "DELETE") return;
  const slice = (operation === "CREATE" ? attributes.object : attributes.old) as ResourceSlice | undefined;
  if (slice?.spec?.nodeName !== node)
    throw refuse(
      attributes,
      `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`,
    );
};

/** A kubelet asks for certificates in its own name. */
export const restrictSigningRequests: Restriction = ({ gates }, node, attributes) => {
  if (attributes.operation !== "CREATE" || gates.enabled("AllowInsecureKubeletCertificateSigningRequests")) return;
  const { spec } = attributes.object as CertificateSigningRequest & {
    spec: NonNullable<CertificateSigningRequest["spec"]>;
  };
  if (!kubeletSigners.has(spec.signerName)) return;
  let request: CertificateRequest | undefined;
  try {
    request = decodeCertificateRequest(Buffer.from(spec.request, "base64").toString("latin1"));
  } catch (err) {
    throw refuse(attributes, `unable to parse csr: ${(err as Error).message}`);
  }
  if (!request) throw refuse(attributes, "unable to parse csr: PEM block type must be CERTIFICATE REQUEST");
  if (attributeValues(request.subject, commonName).at(-1) !== `system:node:${node}`)
    throw refuse(attributes, `can only create a node CSR with CN=system:node:${node}`);
};

/** Kubelets' requests for certificates of pods are behind a gate that is off. */
export const restrictPodCertificates: Restriction = (_deps, _node, attributes) => {
  throw refuse(attributes, "PodCertificateRequest feature gate is disabled");
};
