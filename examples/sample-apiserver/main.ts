// Upstream's sample API server (k8s.io/sample-apiserver) in TypeScript: node main.js --kubeconfig … --secure-port 8443
import { runApiServer } from "@coxswain/apiserver/library";
import { banFlunder } from "./ban-flunder.js";
import { wardle } from "./wardle.js";

await runApiServer({ name: "sample-apiserver", groups: [wardle], admission: [banFlunder] });
