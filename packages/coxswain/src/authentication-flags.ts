import { defineFlags } from "@coxswain/component/flags";

export const authenticationFlags = defineFlags({
  "token-auth-file": { group: "Access", type: "string", value: "file", help: 'Static bearer tokens, one a line: token,user,uid,"group1,group2".' },
  "anonymous-auth": { group: "Access", type: "boolean", help: "Take whoever brings no credentials for system:anonymous on every path, as kube-apiserver does by default. Without this flag only /livez, /readyz and /healthz are for strangers; =false shuts those, too." },
  "api-audiences": { group: "Access", type: "strings", default: [], value: "name,…", help: "What tokens must be for to count here. Default: the issuers of service account tokens." },
  "enable-bootstrap-token-auth": { group: "Access", type: "boolean", help: "Take tokens of secrets of the type bootstrap.kubernetes.io/token in kube-system, with which nodes join." },
  "service-account-signing-key-file": { group: "Access", type: "string", value: "file", help: "The private key that signs service account tokens. Default: the one in the data directory." },
  "service-account-key-file": { group: "Access", type: "strings", whole: true, default: [], value: "file", help: "Keys, public or private, whose service account tokens are known beside those of the signing key. May be given several times; a file may have several keys." },
  "service-account-issuer": { group: "Access", type: "strings", whole: true, default: ["https://kubernetes.default.svc.cluster.local"], value: "name", help: "Who issues service account tokens. May be given several times: the first issues, tokens of all are known." },
  "service-account-jwks-uri": { group: "Access", type: "string", value: "url", help: "Where the issuer's keys are told to be, instead of on this server." },
  "service-account-lookup": { group: "Access", type: "boolean", default: true, help: "Whether tokens that are kept in secrets end with these." },
  "service-account-max-token-expiration": { group: "Access", type: "duration", default: "0s", help: "The longest life of a service account token, at least an hour; 0: no limit." },
  "service-account-extend-token-expiration": { group: "Access", type: "boolean", default: true, help: "Let tokens that kubelets ask for live for a year; use after the hour that was asked for is noted." },
  "requestheader-client-ca-file": { group: "Access", type: "string", value: "file", help: "Proxies with certificates of these authorities may say by headers who their clients are. A new file is taken while the server runs. Default: the front-proxy authority in the data directory." },
  "requestheader-allowed-names": { group: "Access", type: "strings", default: [], value: "name,…", help: "The common names that certificates of such proxies may have; none: any." },
  "requestheader-username-headers": { group: "Access", type: "strings", default: [], value: "name,…", help: "The headers with the user's name, such as X-Remote-User." },
  "requestheader-uid-headers": { group: "Access", type: "strings", default: [], value: "name,…", help: "The headers with the user's uid, such as X-Remote-Uid." },
  "requestheader-group-headers": { group: "Access", type: "strings", default: [], value: "name,…", help: "The headers with the user's groups, such as X-Remote-Group." },
  "requestheader-extra-headers-prefix": { group: "Access", type: "strings", default: [], value: "name,…", help: "What headers with more about the user begin with, such as X-Remote-Extra-." },
});
