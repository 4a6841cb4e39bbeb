import { parseOnlyFlags } from "@coxswain/component/flags";
import { describe, expect, it } from "vitest";
import { assetFlags, refuseOthers } from "./kube-apiserver-asset-flags.js";

/** Command lines of the environments in docs/envtest.md. */
const environments = [
  {
    name: "kube-api-test and jenvtest",
    line: "--cert-dir /j --secure-port 1 --etcd-servers http://0.0.0.0:2 --authorization-mode RBAC --service-account-issuer https://localhost --service-account-signing-key-file /j/apiserver.key --service-account-signing-key-file /j/apiserver.key --service-account-key-file /j/apiserver.key --service-account-issuer /j/apiserver.crt --disable-admission-plugins ServiceAccount --client-ca-file /j/client.crt --service-cluster-ip-range 10.0.0.0/24 --allow-privileged",
    options: { certDir: "/j", securePort: 1, clientCaFile: "/j/client.crt" },
    issuers: ["https://localhost", "/j/apiserver.crt"],
  },
  {
    name: "controller-runtime's envtest",
    line: "--allow-privileged=true --authorization-mode=RBAC --bind-address=127.0.0.1 --cert-dir=/c --client-ca-file=/c/client-cert-auth-ca.crt --disable-admission-plugins=ServiceAccount --etcd-servers=http://127.0.0.1:2 --secure-port=1 --service-account-issuer=https://127.0.0.1:1/ --service-account-key-file=/c/sa-signer.crt --service-account-signing-key-file=/c/sa-signer.key --service-cluster-ip-range=10.0.0.0/24",
    options: { certDir: "/c", securePort: 1, clientCaFile: "/c/client-cert-auth-ca.crt" },
    issuers: ["https://127.0.0.1:1/"],
  },
];

describe("kube-apiserver takes the flags of", () => {
  for (const { name, line, options, issuers } of environments)
    it(name, () => {
      const args = line.split(" ");
      refuseOthers(args);
      const parsed = parseOnlyFlags(assetFlags, args);
      expect(parsed).toMatchObject({ options: { ...options, serviceAccountIssuer: issuers } });
    });
});
