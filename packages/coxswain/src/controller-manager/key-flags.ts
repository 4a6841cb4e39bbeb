import { readFileSync } from "node:fs";
import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import type { ControllerSettings, SignerName } from "@coxswain/controllers";
import type { AuthoritySource } from "./following-signer.js";
import { forAllSigners, keySettings } from "./key-settings.js";

const file = { group: "Keys", type: "string", value: "file" } as const;
const authorityOf = (signer: string) => ({ ...file, help: `The authority of the signer ${signer} alone.` });
const itsKey = { ...file, help: "Its key." };

/** The keys that the controllers sign with. */
export const keyFlags = defineFlags({
  "service-account-private-key-file": {
    ...file,
    help: "Signs tokens in Secrets of type kubernetes.io/service-account-token.",
  },
  "cluster-signing-cert-file": { ...file, help: "The authority that signs approved CertificateSigningRequests." },
  "cluster-signing-key-file": itsKey,
  "cluster-signing-kubelet-serving-cert-file": authorityOf("kubernetes.io/kubelet-serving"),
  "cluster-signing-kubelet-serving-key-file": itsKey,
  "cluster-signing-kubelet-client-cert-file": authorityOf("kubernetes.io/kube-apiserver-client-kubelet"),
  "cluster-signing-kubelet-client-key-file": itsKey,
  "cluster-signing-kube-apiserver-client-cert-file": authorityOf("kubernetes.io/kube-apiserver-client"),
  "cluster-signing-kube-apiserver-client-key-file": itsKey,
  "cluster-signing-legacy-unknown-cert-file": authorityOf("kubernetes.io/legacy-unknown"),
  "cluster-signing-legacy-unknown-key-file": itsKey,
  "cluster-signing-duration": {
    group: "Keys",
    type: "duration",
    default: "8760h0m0s",
    help: "How long signed certificates are valid at most.",
  },
});

type KeyOptions = OptionsOf<typeof keyFlags>;

/** Reads the files. @throws Error when one of a pair is missing, or both a common authority and one of a signer are given */
export function keysFrom(
  options: KeyOptions,
): Pick<ControllerSettings, "signServiceAccountToken" | "certificateSigning"> {
  const pairs: readonly [SignerName, string | undefined, string | undefined][] = [
    [
      "kubernetes.io/kubelet-serving",
      options.clusterSigningKubeletServingCertFile,
      options.clusterSigningKubeletServingKeyFile,
    ],
    [
      "kubernetes.io/kube-apiserver-client-kubelet",
      options.clusterSigningKubeletClientCertFile,
      options.clusterSigningKubeletClientKeyFile,
    ],
    [
      "kubernetes.io/kube-apiserver-client",
      options.clusterSigningKubeApiserverClientCertFile,
      options.clusterSigningKubeApiserverClientKeyFile,
    ],
    [
      "kubernetes.io/legacy-unknown",
      options.clusterSigningLegacyUnknownCertFile,
      options.clusterSigningLegacyUnknownKeyFile,
    ],
  ];
  const own = pairs.flatMap(([name, certificate, key]) => {
    const authority = readAuthority(certificate, key);
    return authority ? [[name, authority] as const] : [];
  });
  const common = readAuthority(options.clusterSigningCertFile, options.clusterSigningKeyFile);
  if (common && own.length > 0)
    throw new Error(
      "cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time",
    );
  const keyFile = options.serviceAccountPrivateKeyFile;
  return keySettings({
    serviceAccountKey: keyFile === undefined ? undefined : readFileSync(keyFile, "utf8"),
    authorities: common ? forAllSigners(common) : Object.fromEntries(own),
    certificateDurationMs: options.clusterSigningDuration,
  });
}

function readAuthority(certificate: string | undefined, key: string | undefined): AuthoritySource | undefined {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new Error(`a signing authority needs both its certificate and its key; given is ${certificate ?? key}`);
  return () => ({ certificate: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") });
}
