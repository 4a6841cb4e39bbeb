import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "@coxswain/component/main";
import { auditFlags } from "../../audit/flags/audit-flags.js";

/** The flags of a server of one's own: those of k8s.io/apiserver's programs under their names, and where the embedded store is. */
export const serverFlags = defineFlags({
  "secure-port": {
    type: "integer",
    default: 443,
    min: 0,
    max: 65_535,
    group: "Serving",
    value: "port",
    help: "The port of HTTPS. 0: any free one.",
  },
  "bind-address": {
    type: "string",
    default: "0.0.0.0",
    group: "Serving",
    value: "address",
    help: "The address to listen at.",
  },
  "cert-dir": {
    type: "string",
    default: "apiserver.local.config/certificates",
    group: "Serving",
    value: "folder",
    help: "Where certificates are kept that are made because no files are named.",
  },
  "tls-cert-file": {
    type: "string",
    group: "Serving",
    value: "file",
    help: "The certificate of HTTPS. Made in --cert-dir by default.",
  },
  "tls-private-key-file": { type: "string", group: "Serving", value: "file", help: "The key of --tls-cert-file." },
  kubeconfig: {
    type: "string",
    group: "Cluster",
    value: "file",
    help: "Of the cluster whose API server this one stands behind. --authentication-kubeconfig and --authorization-kubeconfig are the same by default.",
  },
  "authentication-kubeconfig": {
    type: "string",
    group: "Cluster",
    value: "file",
    help: "Of the API server that reviews tokens and names the authorities of certificates. In a pod its own service account by default.",
  },
  "authorization-kubeconfig": {
    type: "string",
    group: "Cluster",
    value: "file",
    help: "Of the API server that decides who may do what.",
  },
  "disable-admission-plugins": {
    type: "strings",
    default: [],
    group: "Cluster",
    value: "names",
    help: "NamespaceLifecycle, which runs behind a cluster: nothing is created in a namespace that the cluster does not have, or that ends.",
  },
  alone: {
    type: "boolean",
    default: false,
    group: "Cluster",
    help: "There is no cluster: users come with certificates of an authority in --cert-dir, and admin.conf there is the kubeconfig of the first.",
  },
  "data-dir": {
    type: "string",
    default: "data",
    group: "Store",
    value: "folder",
    help: "Where the embedded store is.",
  },
  "etcd-servers": {
    type: "strings",
    default: [],
    group: "Store",
    value: "urls",
    help: "An etcd cluster instead of the embedded store.",
  },
  "etcd-cafile": { type: "string", group: "Store", value: "file", help: "The authority of etcd's certificates." },
  "etcd-certfile": { type: "string", group: "Store", value: "file", help: "The client certificate for etcd." },
  "etcd-keyfile": { type: "string", group: "Store", value: "file", help: "The key of --etcd-certfile." },
  ...auditFlags,
  ...logFlags("text"),
});
