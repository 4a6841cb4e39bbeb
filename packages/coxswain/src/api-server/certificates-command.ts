import { join } from "node:path";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import { ensureAuthority, ensureLeaf } from "@coxswain/component/certificates";
import { makeDirectory } from "@coxswain/component/files";
import { systemRuntime } from "@coxswain/runtime";
import { writeChanged } from "../project/write-files.js";
import { defineApiSubcommand } from "./api-project.js";
import { generate } from "./generate-command.js";
import { serverNames } from "./object-names.js";

/** Holds a key, so that it is no part of what is committed. */
export const certificateFile = "config/certificate.yaml";

export const certificatesSubcommand = defineApiSubcommand({
  name: "certificates",
  takes: "",
  summary: "Makes the certificate that a kube-apiserver wants to see, and renews it.",
  description:
    "Makes an authority and a certificate for the server's Service in pki, where there are none or they end within 30 days, writes config/certificate.yaml, a Secret with both, and puts the authority into config/apiservices.yaml. Keys are for you alone: pki and the Secret are in .gitignore.",
  flags: {},
  maxWords: 0,
  run({ project, ...place }) {
    const { directory, print } = place;
    const { namespace, certificate: name, host } = serverNames(project.name);
    const { ioClock: clock, random } = systemRuntime();
    const folder = join(directory, "pki");
    makeDirectory(folder);
    const authority = ensureAuthority(folder, "ca", { clock, random, commonName: `${project.name}-ca` });
    const hosts = [host, "localhost", "127.0.0.1"];
    const { certificate, key } = ensureLeaf(folder, "serving", authority, { clock, random, commonName: host, hosts });
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
      type: "kubernetes.io/tls",
      stringData: { "tls.crt": certificate + authority.certificate, "tls.key": key },
    };
    for (const path of writeChanged(directory, [{ path: certificateFile, text: stringifyYaml(secret) }]))
      print(`wrote ${path}`);
    return generate(place, project);
  },
});
