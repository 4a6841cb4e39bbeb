import type { Runtime } from "@coxswain/runtime";
import { firstRefusal, type Guard, type Refusal } from "./guards/index.js";
import { limits } from "./limits.js";

/** One browser tab that was let in. */
export interface Session {
  readonly openedAt: number;
}

/** Links, each good for one session. Nothing of it is kept beyond the process. */
export interface Sessions {
  /** A code for a link. */
  createCode(): string;
  exchange(request: {
    readonly body: Uint8Array;
    readonly contentType: string;
  }): { readonly key: string } | { readonly refusal: Refusal };
  find(key: string): Session | undefined;
}

export function createSessions(runtime: Runtime, guards: readonly Guard[]): Sessions {
  const codes = new Map<string, { readonly at: number; isUsed: boolean }>();
  const sessions = new Map<string, Session>();
  let tries: number[] = [];
  const secret = (bytes: number): string => Buffer.from(runtime.random.bytes(bytes)).toString("base64url");
  return {
    createCode() {
      const code = secret(16);
      codes.set(code, { at: runtime.ioClock.now(), isUsed: false });
      const [oldest] = codes.keys();
      if (codes.size > limits.codes && oldest !== undefined) codes.delete(oldest);
      return code;
    },
    exchange({ body, contentType }) {
      const now = runtime.ioClock.now();
      tries = [...tries.filter((at) => now - at < 60_000), now].slice(-limits.exchangesPerMinute - 1);
      const made = codes.get(codeIn(body));
      const refusal = firstRefusal(guards, "exchange", {
        bodyBytes: body.length,
        contentType,
        made,
        now,
        lastMinute: tries.length,
        sessions: sessions.size,
      });
      if (refusal) return { refusal };
      if (made) made.isUsed = true;
      const key = secret(32);
      sessions.set(key, { openedAt: now });
      return { key };
    },
    find: (key) => sessions.get(key),
  };
}

/** "" for what is no such document; no code is that. */
function codeIn(body: Uint8Array): string {
  try {
    const { code } = JSON.parse(Buffer.from(body).toString()) as { code?: unknown };
    return typeof code === "string" ? code : "";
  } catch {
    return ""; // the guard for known codes refuses it
  }
}
