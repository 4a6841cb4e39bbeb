import type { AuditEvent } from "./audit-event.js";

/** Where events go. */
export interface AuditBackend {
  /** False: they are not kept, and a request that may only be served once it is recorded is refused. Never rejects. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Resolves when all that was taken is kept. */
  stop(): Promise<void>;
}

/** Called with events that a plugin could not keep. */
export type OnLost = (plugin: string, problem: unknown, events: readonly AuditEvent[]) => void;

/** Every backend receives every event. */
export function allOf(backends: readonly AuditBackend[]): AuditBackend {
  const [only] = backends;
  if (only && backends.length === 1) return only;
  return {
    async process(events) {
      const kept = await Promise.all(backends.map((backend) => backend.process(events)));
      return kept.every(Boolean);
    },
    async stop() {
      await Promise.all(backends.map((backend) => backend.stop()));
    },
  };
}

/** What cannot be kept is reported, and does not stand in the way of the request. */
export const forgiving = (backend: AuditBackend): AuditBackend => ({
  process(events) {
    const kept = backend.process(events);
    return kept instanceof Promise ? kept.then(() => true) : true;
  },
  stop: () => backend.stop(),
});
