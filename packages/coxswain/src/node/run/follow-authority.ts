import type { ConfigMap } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher } from "@coxswain/client/informers";
import { writeFileAtomically } from "@coxswain/component/files";
import type { Runtime } from "@coxswain/runtime";
import { readCertificates } from "@coxswain/wire/x509";

export interface FollowAuthorityOptions {
  /** In the node's own name. */
  readonly client: Client;
  /** By which the node knows the API server, and who asks its kubelet. */
  readonly file: string;
  readonly current: string;
  /** The file holds these now; also called at the beginning. */
  onBundle(bundle: string): void;
}

const namespace = "kube-system";
const name = "kube-root-ca.crt";

/**
 * Keeps the file of a node's authorities as the cluster publishes them, so that an authority can be replaced under nodes that run. What
 * the API server publishes counts because the connection is vouched for by what the file held before.
 */
export async function followAuthority(
  runtime: Runtime,
  { client, file, current: first, onBundle }: FollowAuthorityOptions,
): Promise<{ stop(): Promise<void> }> {
  const { log } = runtime;
  if (!(await mayRead(client))) {
    log.info(`this node may not read the ConfigMap ${namespace}/${name}: authorities are not followed`);
    return { stop: () => Promise.resolve() };
  }
  let current = first;
  const informer = createSharedInformer<ConfigMap>({
    listerWatcher: filterListerWatcher(client.core.v1.configmaps(namespace), {
      fieldSelector: `metadata.name=${name}`,
    }),
    runtime,
  });
  const follow = ({ data }: { readonly data?: Readonly<Record<string, string>> }): void => {
    const published = data?.["ca.crt"] ?? "";
    if (!succeeds(published, current)) {
      log.warn("the published authorities have none in common with this node's and are not taken", { file });
      return;
    }
    if (published !== current) {
      writeFileAtomically(file, published, 0o644);
      current = published;
      log.info("the node trusts new authorities", { certificates: readCertificates(published).length });
    }
    onBundle(current);
  };
  informer.addHandler({ onAdd: follow, onUpdate: (_, next) => follow(next) });
  informer.start();
  return { stop: () => informer.stop() };
}

/** Pure: whether a bundle may follow another one: by overlap, so that no step distrusts all of the one before. */
export function succeeds(next: string, before: string): boolean {
  const known = readCertificates(before).map(({ der }) => Buffer.from(der).toString("base64"));
  return certificatesOf(next).some((one) => known.includes(one));
}

function certificatesOf(pem: string): string[] {
  try {
    return readCertificates(pem).map(({ der }) => Buffer.from(der).toString("base64"));
  } catch {
    return []; // none that can be read
  }
}

async function mayRead(client: Client): Promise<boolean> {
  const resourceAttributes = { namespace, resource: "configmaps", name, verb: "watch" };
  const review = await client.authorization.v1.selfsubjectaccessreviews().create({ spec: { resourceAttributes } });
  return review.status?.allowed === true;
}
