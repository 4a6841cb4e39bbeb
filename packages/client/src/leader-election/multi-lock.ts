import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { ResourceLock } from "./resource-lock.js";

/** The holder where two locks name different ones: nobody may act on it. */
export const unknownLeader = "leaderelection.k8s.io/unknown";

/**
 * Two locks held together, to move from one to the other without two leaders: clients that know only the primary and clients
 * that know both exclude each other.
 */
export const createMultiLock = (primary: ResourceLock, secondary: ResourceLock): ResourceLock => ({
  identity: primary.identity,
  description: primary.description,
  async get(signal) {
    const first = await primary.get(signal);
    if (first === undefined) return undefined;
    const second = await secondary.get(signal);
    // Without the secondary lock, the holder is a client that knows only the primary; our own is made anew.
    if (second === undefined) return first.record.holderIdentity === primary.identity ? undefined : first;
    const agreed = first.record.holderIdentity === second.record.holderIdentity;
    return {
      record: agreed ? first.record : { ...first.record, holderIdentity: unknownLeader },
      version: `${first.version},${second.version}`,
    };
  },
  async create(record, signal) {
    try {
      await primary.create(record, signal);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    await secondary.create(record, signal);
  },
  async update(record, signal) {
    await primary.update(record, signal);
    if ((await secondary.get(signal)) === undefined) await secondary.create(record, signal);
    else await secondary.update(record, signal);
  },
});
