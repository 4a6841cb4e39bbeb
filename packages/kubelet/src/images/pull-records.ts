import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getOwn } from "@coxswain/apimachinery/own";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Runtime } from "@coxswain/runtime";
import type { ImageRecord } from "../runtime/container-runtime.js";
import { mergeRecord, type PulledRecord, planAccess, recordedCredentials } from "./plan-pull-record.js";
import type { PullCredential } from "./pull-credential.js";
import { repositoryOf, type VerificationPolicy } from "./verification-policy.js";

/** Which images this kubelet pulled, and with whose credentials: a pod without them must not use what another one pulled. */
export interface PullRecords {
  /** Whether a pod must pull an image that is there, to show that it may use it. */
  mustPull(present: ImageRecord, credentials: () => Promise<readonly PullCredential[]>): Promise<boolean>;
  /** Before a pull: a kubelet that is killed meanwhile finds that it was the one who pulled. */
  begin(image: string): Promise<void>;
  pulled(image: ImageRecord, used: PullCredential | undefined): Promise<void>;
  failed(image: string): Promise<void>;
  /** Forgets images that are gone; records written after `before` stay. */
  prune(imageIds: ReadonlySet<string>, before: number): Promise<void>;
}

/** Simulated images are for everybody. */
export const noPullRecords: PullRecords = {
  mustPull: () => Promise.resolve(false),
  begin: () => Promise.resolve(),
  pulled: () => Promise.resolve(),
  failed: () => Promise.resolve(),
  prune: () => Promise.resolve(),
};

export interface PullRecordsOptions {
  /** The kubelet's; files are upstream's (pkg/kubelet/images/pullmanager/fs_pullrecords.go). */
  readonly rootDir: string;
  readonly policy: VerificationPolicy;
  readonly runtime: Pick<Runtime, "clock" | "log">;
  /** On the node now. */
  images(): Promise<readonly ImageRecord[]>;
}

const apiVersion = "kubelet.config.k8s.io/v1beta1";
const fileName = (name: string): string => `sha256-${createHash("sha256").update(name).digest("hex")}`;

export async function openPullRecords(options: PullRecordsOptions): Promise<PullRecords> {
  const { rootDir, policy, runtime } = options;
  const pulling = join(rootDir, "image_manager", "pulling");
  const pulledDir = join(rootDir, "image_manager", "pulled");
  for (const directory of [pulling, pulledDir]) await mkdir(directory, { recursive: true, mode: 0o700 });
  /** By image: pulls that are under way. */
  const intents = new Map<string, number>();

  const recordOf = async (imageRef: string): Promise<PulledRecord | undefined> => {
    const record = await readRecord<PulledRecord>(join(pulledDir, fileName(imageRef)));
    return record?.imageRef === imageRef ? record : undefined;
  };

  async function note(image: string, imageRef: string, added: Parameters<typeof mergeRecord>[2] | undefined) {
    const known = await recordOf(imageRef).catch(() => undefined); // a damaged one is replaced
    const now = formatTime(runtime.clock.now());
    const before = known ?? { lastUpdatedTime: now, imageRef, credentialMapping: {} };
    const merged = added ? mergeRecord(before, repositoryOf(image), added, now) : known ? undefined : before;
    if (merged) await writeRecord(pulledDir, imageRef, { apiVersion, kind: "ImagePulledRecord", ...merged });
  }

  async function end(image: string): Promise<void> {
    const count = intents.get(image) ?? 0;
    if (count > 1) return void intents.set(image, count - 1);
    await rm(join(pulling, fileName(image)), { force: true });
    intents.delete(image);
  }

  const isUnderWay = async (image: string): Promise<boolean> =>
    intents.has(image) || (await readRecord<{ image: string }>(join(pulling, fileName(image))))?.image === image;

  await adoptIntents();
  return {
    async mustPull({ image, id }, credentials) {
      const record = await recordOf(id).catch((error: Error) => error);
      if (record instanceof Error) {
        runtime.log.warn("Unable to access cache records about image pulls", { image, error: record });
        return true;
      }
      if (!policy(image, record !== undefined || (await isUnderWay(image)))) return false;
      const recorded = record && getOwn(record.credentialMapping, repositoryOf(image));
      const verdict = planAccess(recorded, recorded?.nodePodsAccessible ? [] : await credentials());
      if (verdict.kind === "known" && verdict.note) await note(image, id, verdict.note);
      return verdict.kind === "ask";
    },
    async begin(image) {
      await writeRecord(pulling, image, { apiVersion, kind: "ImagePullIntent", image });
      intents.set(image, (intents.get(image) ?? 0) + 1);
    },
    async pulled({ image, id }, used) {
      await note(image, id, recordedCredentials(used));
      await end(image);
    },
    failed: end,
    async prune(imageIds, before) {
      for (const name of await readdir(pulledDir)) {
        const record = await readRecord<PulledRecord>(join(pulledDir, name)).catch(() => undefined);
        if (!record || imageIds.has(record.imageRef) || Date.parse(record.lastUpdatedTime) >= before) continue;
        await rm(join(pulledDir, name), { force: true });
      }
    },
  };

  /** A pull that a killed kubelet began and that succeeded: with what is not known, so the next pod shows its credentials. */
  async function adoptIntents(): Promise<void> {
    const begun = new Set<string>();
    for (const name of await readdir(pulling)) {
      const intent = await readRecord<{ image: string }>(join(pulling, name)).catch(() => undefined);
      if (intent) begun.add(intent.image);
    }
    if (begun.size === 0) return;
    for (const { id, tags, digests } of await options.images())
      for (const name of [...tags, ...digests]) {
        if (!begun.has(name)) continue;
        await note(name, id, undefined);
        await rm(join(pulling, fileName(name)), { force: true });
      }
  }
}

async function readRecord<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

async function writeRecord(directory: string, name: string, record: object): Promise<void> {
  const path = join(directory, fileName(name));
  await writeFile(`${path}.tmp`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}
