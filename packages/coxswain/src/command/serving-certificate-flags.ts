import { defineFlags } from "@coxswain/component/flags";

/** What components other than the API server serve their pages with. */
export const servingCertificateFlags = defineFlags({
  "tls-cert-file": {
    group: "Serving",
    type: "string",
    value: "file",
    help: "The certificate to serve with. Default: a self-signed one, made at the start.",
  },
  "tls-private-key-file": { group: "Serving", type: "string", value: "file", help: "Its key." },
});
