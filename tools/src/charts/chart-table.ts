/** A chart of another project, and what it takes to install it where containers are simulated. */
export interface Chart {
  readonly name: string;
  /** On GitHub; a checkout of it is expected below DIR by this name. */
  readonly repository: string;
  /** Folder of the chart in its repository. */
  readonly path: string;
  /** Values that differ from the chart's defaults, each with a reason in docs/charts.md. */
  readonly values?: readonly string[];
  /** Charts that it depends on: their folders below DIR. Those that are not named are taken out of Chart.yaml. */
  readonly dependencies?: Readonly<Record<string, string>>;
}

const bitnami = (name: string): Chart => ({
  name,
  repository: "bitnami/charts",
  path: `bitnami/${name}`,
  dependencies: { common: "bitnami/charts/bitnami/common" },
});

/** Values of a chart that takes further objects: a Secret that a Job would have made. */
const secret = (name: string, key: string): string[] => [
  "extraObjects[0].apiVersion=v1",
  "extraObjects[0].kind=Secret",
  `extraObjects[0].metadata.name=${name}`,
  `extraObjects[0].stringData.${key}=simulated`,
];

const prometheusCharts = "prometheus-community/helm-charts/charts";

/** Installed in this order, all in one cluster. docs/charts.md has the commits that the values are for. */
export const charts: readonly Chart[] = [
  bitnami("postgresql"),
  bitnami("redis"),
  bitnami("kafka"),
  bitnami("rabbitmq"),
  bitnami("mongodb"),
  bitnami("mariadb"),
  {
    name: "cert-manager",
    repository: "cert-manager/cert-manager",
    path: "deploy/charts/cert-manager",
    values: ["crds.enabled=true", "startupapicheck.enabled=false"],
  },
  {
    name: "ingress-nginx",
    repository: "kubernetes/ingress-nginx",
    path: "charts/ingress-nginx",
    values: ["controller.admissionWebhooks.enabled=false"],
  },
  {
    name: "kube-prometheus-stack",
    repository: "prometheus-community/helm-charts",
    path: "charts/kube-prometheus-stack",
    values: ["prometheusOperator.admissionWebhooks.enabled=false", "prometheusOperator.tls.enabled=false"],
    dependencies: {
      "kube-state-metrics": `${prometheusCharts}/kube-state-metrics`,
      "prometheus-node-exporter": `${prometheusCharts}/prometheus-node-exporter`,
      "prometheus-windows-exporter": `${prometheusCharts}/prometheus-windows-exporter`,
      grafana: "grafana-community/helm-charts/charts/grafana",
    },
  },
  {
    name: "argo-cd",
    repository: "argoproj/argo-helm",
    path: "charts/argo-cd",
    values: ["redisSecretInit.enabled=false", ...secret("argocd-redis", "auth")],
  },
  {
    name: "external-dns",
    repository: "kubernetes-sigs/external-dns",
    path: "charts/external-dns",
    values: ["policy=upsert-only"],
  },
  { name: "metrics-server", repository: "kubernetes-sigs/metrics-server", path: "charts/metrics-server" },
  { name: "traefik", repository: "traefik/traefik-helm-chart", path: "traefik" },
  { name: "vault", repository: "hashicorp/vault-helm", path: "." },
];
