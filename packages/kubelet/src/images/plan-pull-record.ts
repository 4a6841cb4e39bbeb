import { getOwn } from "@coxswain/apimachinery/own";
import { hashOf, type ObjectCoordinates, type PullCredential } from "./pull-credential.js";

/** Who may use an image: upstream's ImagePullCredentials of kubelet.config.k8s.io/v1beta1. */
export interface RecordedCredentials {
  readonly kubernetesSecrets?: readonly (ObjectCoordinates & { readonly credentialHash: string })[];
  readonly kubernetesServiceAccounts?: readonly ObjectCoordinates[];
  readonly nodePodsAccessible?: boolean;
}

/** Upstream's ImagePulledRecord: of one image, by the names that it was pulled by, with what. */
export interface PulledRecord {
  readonly lastUpdatedTime: string;
  readonly imageRef: string;
  readonly credentialMapping: Readonly<Record<string, RecordedCredentials>>;
}

/** More secrets than this are not written down while they are only compared (upstream's writeRecordWhileMatchingLimit). */
const comparedLimit = 100;

/** Pure: what a pull with these credentials is written down as; without any, or with the node's own, the image is for all pods. */
export function recordedCredentials(used: PullCredential | undefined): RecordedCredentials {
  if (used?.secret) return { kubernetesSecrets: [{ ...used.secret, credentialHash: hashOf(used.auth) }] };
  if (used?.serviceAccount) return { kubernetesServiceAccounts: [used.serviceAccount] };
  return { nodePodsAccessible: true };
}

const isSame = (a: ObjectCoordinates, b: ObjectCoordinates): boolean =>
  a.uid === b.uid && a.namespace === b.namespace && a.name === b.name;

/** By namespace, name and uid. */
const byCoordinates = (a: ObjectCoordinates, b: ObjectCoordinates): number => {
  const [x, y] = [a, b].map(({ namespace, name, uid }) => [namespace, name, uid].join("\0")) as [string, string];
  return x < y ? -1 : x > y ? 1 : 0;
};

/** Pure: the record with these credentials in it; undefined: they are there already. Upstream's `pulledRecordMergeNewCreds`. */
export function mergeRecord(
  before: PulledRecord,
  repository: string,
  added: RecordedCredentials,
  now: string,
): PulledRecord | undefined {
  const known = getOwn(before.credentialMapping, repository);
  const merged = mergeCredentials(known, added);
  if (!merged) return undefined;
  return {
    ...before,
    lastUpdatedTime: now,
    credentialMapping: { ...before.credentialMapping, [repository]: merged },
  };
}

function mergeCredentials(
  known: RecordedCredentials | undefined,
  added: RecordedCredentials,
): RecordedCredentials | undefined {
  if (!known) return added;
  if (known.nodePodsAccessible) return undefined;
  if (added.nodePodsAccessible) return { nodePodsAccessible: true };
  const { kubernetesSecrets = [], kubernetesServiceAccounts = [] } = known;
  const [secret] = added.kubernetesSecrets ?? [];
  if (secret) {
    if (kubernetesSecrets.some((each) => isSame(each, secret) && each.credentialHash === secret.credentialHash))
      return undefined;
    const others = kubernetesSecrets.filter((each) => !isSame(each, secret));
    return { ...known, kubernetesSecrets: [...others, secret].toSorted(byCoordinates) };
  }
  const [account] = added.kubernetesServiceAccounts ?? [];
  if (!account || kubernetesServiceAccounts.some((each) => isSame(each, account))) return undefined;
  return { ...known, kubernetesServiceAccounts: [...kubernetesServiceAccounts, account].toSorted(byCoordinates) };
}

export type AccessVerdict =
  | { readonly kind: "open" }
  /** The credentials are known; `note` are to be written down, too. */
  | { readonly kind: "known"; readonly note?: RecordedCredentials }
  /** The registry decides. */
  | { readonly kind: "ask" };

/** Pure: whether a pod with these credentials may use what was pulled before. Upstream's `MustAttemptImagePull`. */
export function planAccess(
  recorded: RecordedCredentials | undefined,
  credentials: readonly PullCredential[],
): AccessVerdict {
  if (!recorded) return { kind: "ask" };
  if (recorded.nodePodsAccessible) return { kind: "open" };
  const { kubernetesSecrets = [], kubernetesServiceAccounts = [] } = recorded;
  const mayNote = kubernetesSecrets.length < comparedLimit;
  for (const credential of credentials) {
    const { secret } = credential;
    if (!secret) continue;
    const credentialHash = hashOf(credential.auth);
    for (const known of kubernetesSecrets) {
      const [hasHash, hasPlace] = [known.credentialHash === credentialHash, isSame(known, secret)];
      const note = { kubernetesSecrets: [{ ...secret, credentialHash }] };
      if (hasHash) return { kind: "known", ...(!hasPlace && mayNote && { note }) };
      // The secret was changed: pods that showed the old one had the right.
      if (hasPlace && mayNote) return { kind: "known", note };
    }
  }
  // Audiences are not compared, so a pod has one service account.
  const account = credentials.find(({ serviceAccount }) => serviceAccount)?.serviceAccount;
  const isKnown = account && kubernetesServiceAccounts.some((known) => isSame(known, account));
  return isKnown ? { kind: "known" } : { kind: "ask" };
}
