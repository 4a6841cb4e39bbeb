import type { PodSpec, ServiceAccount } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { podKind } from "@coxswain/kinds/core/pod";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import type { AdmissionAttributes } from "./admission.js";
import { createServiceAccount } from "./service-account.js";

type Account = Partial<ServiceAccount> & { metadata?: object };

function admit(
  spec: Partial<PodSpec>,
  account: Account | undefined = {},
  annotations: Record<string, string> = {},
): PodSpec {
  const stored = { ...account, metadata: { name: "default", ...account.metadata } } as ServiceAccount &
    KubernetesObject;
  const accounts = {
    get: (key: string) => (key === "/registry/serviceaccounts/n/default" ? stored : undefined),
    list: () => [],
    state: () => accounts,
  };
  const plugin = createServiceAccount({ accounts, random: createSeededRandom(1) });
  const object = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", annotations },
    spec: { containers: [{ name: "c" }], ...spec },
  } as KubernetesObject & { spec: PodSpec };
  const attributes: AdmissionAttributes = {
    operation: "CREATE",
    kind: podKind,
    subresource: "",
    namespace: "n",
    name: "p",
    object,
    old: undefined,
    user: { name: "u", groups: [] },
    dryRun: false,
  };
  void plugin.admit?.(attributes);
  void plugin.validate?.(attributes);
  return object.spec;
}

describe("the service account of a pod", () => {
  it("is the default one, with its token in every container", () => {
    const spec = admit({ initContainers: [{ name: "i" }] });
    const name = spec.volumes?.[0]?.name ?? "";
    expect(spec).toMatchObject({ serviceAccountName: "default", serviceAccount: "default" });
    expect(name).toMatch(/^kube-api-access-.{5}$/);
    expect(spec.volumes?.[0]?.projected?.sources).toHaveLength(3);
    for (const container of [...spec.containers, ...(spec.initContainers ?? [])])
      expect(container.volumeMounts).toEqual([
        { name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
      ]);
  });

  const without = [
    {
      name: "the pod does not want it",
      spec: { automountServiceAccountToken: false },
      account: { automountServiceAccountToken: true },
    },
    { name: "its account does not want it", spec: {}, account: { automountServiceAccountToken: false } },
    {
      name: "something else is mounted there",
      spec: {
        containers: [
          { name: "c", volumeMounts: [{ name: "x", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }] },
        ],
      },
      account: {},
    },
  ];
  for (const { name, spec, account } of without)
    it(`mounts no token when ${name}`, () => expect(admit(spec, account).volumes).toBeUndefined());

  it("gives its pull secrets to pods that have none", () => {
    expect(admit({}, { imagePullSecrets: [{ name: "s" }] }).imagePullSecrets).toEqual([{ name: "s" }]);
    expect(
      admit({ imagePullSecrets: [{ name: "own" }] }, { imagePullSecrets: [{ name: "s" }] }).imagePullSecrets,
    ).toEqual([{ name: "own" }]);
  });

  const enforced = {
    metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
    secrets: [{ name: "ok" }],
  };
  const mirror = { "kubernetes.io/config.mirror": "x" };
  const refused = [
    {
      name: "an account that is not there",
      spec: { serviceAccountName: "none" },
      message: 'pods "p" is forbidden: error looking up service account n/none: serviceaccount "none" not found',
    },
    {
      name: "secrets that the account does not list",
      spec: { volumes: [{ name: "v", secret: { secretName: "no" } }] },
      account: enforced,
      message:
        'volume with secret.secretName="no" is not allowed because service account default does not reference that secret',
    },
    {
      name: "variables from such secrets",
      spec: {
        containers: [{ name: "c", env: [{ name: "E", valueFrom: { secretKeyRef: { name: "no", key: "k" } } }] }],
      },
      account: enforced,
      message: 'container c with envVar E referencing secret.secretName="no"',
    },
    {
      name: "a mirror pod with an account",
      spec: { serviceAccountName: "default" },
      annotations: mirror,
      message: "a mirror pod may not reference service accounts",
    },
    {
      name: "a mirror pod with secrets",
      spec: { volumes: [{ name: "v", secret: { secretName: "no" } }] },
      annotations: mirror,
      message: "a mirror pod may not reference secrets",
    },
  ];
  for (const { name, spec, account, annotations, message } of refused)
    it(`refuses ${name}`, () => expect(() => admit(spec, account, annotations)).toThrow(message));
  it("lets a mirror pod alone", () => expect(admit({}, {}, mirror)).toEqual({ containers: [{ name: "c" }] }));
});
