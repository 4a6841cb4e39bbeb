import type { KubectlCommand } from "./kubectl-command.js";

const forms = [
  "json",
  "yaml",
  "wide",
  "name",
  "jsonpath='{.items[*].metadata.name}'",
  "custom-columns=N:.metadata.name,L:.metadata.labels",
  "go-template='{{range .items}}{{.metadata.name}} {{end}}'",
];
const masked = new Set(["json", "yaml"]);

const everyKind = (file: string): KubectlCommand[] => [
  { run: `kubectl get -f ${file}`, says: /every/ },
  ...forms.map(
    (form): KubectlCommand => ({
      run: `kubectl get -f ${file} -o ${form}`,
      says: /every/,
      ...(masked.has(form) ? { varies: true } : {}),
    }),
  ),
  { run: `kubectl get -f ${file} --show-labels --show-kind`, says: /set=every/ },
];

/** Reading in all forms, of one kind and of every kind. */
export const readCommands: readonly KubectlCommand[] = [
  ...everyKind("namespaced.json"),
  ...everyKind("cluster.json"),
  { run: "kubectl describe -f namespaced.json", says: /Name: +every/ },
  // Old releases ask for versions of ServiceCIDR and VolumeAttributesClass that are no longer served, by kube-apiserver either.
  { run: "kubectl describe -f described.json", says: /Name: +every/ },
  { run: "kubectl describe servicecidr/every vac/every", says: /CIDRs: +10.96/, since: 34 },
  {
    run: "kubectl get apiservices v1.apps && kubectl describe apiservice v1.apps",
    name: "get and describe an APIService",
    says: /Local/,
  },
  { run: "kubectl get componentstatuses", varies: true, says: /NAME/ },
  { run: "kubectl get ipaddresses", varies: true, says: /10\./ },
  { run: "kubectl get all", says: /deployment.apps\/made/, short: true, varies: true },
  { run: "kubectl get pods,services,configmaps -o name", says: /configmap\/colours/, short: true, varies: true },
  { run: "kubectl get pods -o wide", says: /NOMINATED NODE +READINESS GATES/, varies: true },
  { run: "kubectl get pods one two -o custom-columns-file=columns.txt", says: /registry.example\/web:1/ },
  { run: "kubectl get pods -o go-template-file=template.txt", says: /lone/, varies: true },
  {
    run: "kubectl get pod one -o jsonpath='{.spec.containers[?(@.name==\"web\")].ports[0].containerPort}'",
    says: /^8080/,
  },
  { run: "kubectl get pod one -o jsonpath-as-json='{.metadata.labels}'", says: /"app": "one"/ },
  { run: "kubectl get pod one --template='{{.metadata.name}}'", says: /^one/ },
  { run: "kubectl get pods --show-labels -L app -l 'app in (one,two)'", says: /app=two/, short: true },
  { run: "kubectl get pods -l app!=one,app --no-headers", says: /three/, varies: true },
  { run: "kubectl get pods -l '!app' -o name", varies: true },
  {
    run: "kubectl get pods --sort-by=.metadata.name -o name -l 'app in (one,two,three)'",
    says: /pod\/one\npod\/three\npod\/two/,
  },
  { run: "kubectl get pods --sort-by='{.metadata.creationTimestamp}' -l app=one", says: /one/ },
  {
    run: "kubectl get pods --field-selector=metadata.name=two,status.phase=Pending -o name",
    says: /^pod\/two$/m,
    short: true,
  },
  {
    run: "kubectl get pods --field-selector=spec.nodeName!=x --chunk-size=1 -o name",
    says: /pod\/three/,
    varies: true,
  },
  { run: "kubectl get pods --field-selector=spec.nothing=x", fails: true, says: /field label not supported/ },
  { run: "kubectl get pods -l 'a in b'", fails: true, says: /unable to parse requirement|BadRequest/ },
  { run: "kubectl get configmaps -A --chunk-size=3 -o name", says: /configmap\/colours/, varies: true, short: true },
  { run: "kubectl get events -A --field-selector=type=Normal", says: /Tested/, varies: true },
  { run: "kubectl get services --field-selector=spec.type=NodePort -o name", says: /service\/outside/ },
  { run: "kubectl get --raw '/api/v1/namespaces/scene/pods?limit=1'", says: /"continue"/, varies: true },
  { run: "kubectl get pod one --show-managed-fields -o yaml", says: /managedFields/, varies: true },
  { run: "kubectl get pod one --subresource=status -o json", says: /"phase": "Pending"/, varies: true },
  { run: "kubectl get deployment made --subresource=scale -o yaml", says: /kind: Scale/, varies: true },
  { run: "kubectl get pod nobody", fails: true, says: /\(NotFound\): pods "nobody" not found/, short: true },
  { run: "kubectl get pod nobody --ignore-not-found", short: true },
  { run: "kubectl get nonsense", fails: true, says: /doesn't have a resource type "nonsense"/ },
  { run: "kubectl get -k custom --ignore-not-found" },
  {
    run: "timeout 60 kubectl get configmaps -w -o name > watched & p=$!; until grep -q colours watched; do sleep 0.1; done; kubectl create configmap seen; until grep -q seen watched; do sleep 0.1; done; kill $p; kubectl delete configmap seen",
    name: "get -w",
    varies: true,
    short: true,
  },
  {
    run: "timeout 60 kubectl get pod one -w --output-watch-events > watched2 & p=$!; until grep -q ADDED watched2; do sleep 0.1; done; kubectl label pod one seen=yes; until grep -q MODIFIED watched2; do sleep 0.1; done; kill $p; kubectl label pod one seen-",
    name: "get one -w --output-watch-events",
    varies: true,
  },
  { run: "kubectl get pods --watch-only --request-timeout=1s", varies: true },
  { run: "kubectl events", since: 28, varies: true, says: /Tested/ },
  { run: "kubectl events --types=Normal", since: 28, varies: true, says: /Tested/ },
  { run: "kubectl events -A -o yaml", since: 28, varies: true, says: /kind: Event/ },
  { run: "kubectl describe pods -l app=one", says: /Name: +one/, short: true },
  { run: "kubectl describe namespace scene", says: /Resource Quotas/, varies: true },
  { run: "kubectl describe nodes", says: /Unschedulable: +true/, varies: true },
  { run: "kubectl describe nothing/here", fails: true },
  { run: "kubectl logs one", varies: true },
  { run: "kubectl exec one -- true", fails: true, varies: true },
];
