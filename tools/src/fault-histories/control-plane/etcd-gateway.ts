import { type IncomingMessage, request } from "node:http";
import { linesOf } from "../clients/lines-of.js";
import type { Commit } from "../history/committed-log.js";
import { contentOf, type StoredObject } from "../history/stored-object.js";

interface GatewayEvent {
  readonly type?: "DELETE";
  readonly kv: { readonly key: string; readonly value?: string; readonly mod_revision: string };
}
interface Header {
  readonly revision: string;
  readonly member_id: string;
}
interface WatchLine {
  readonly result?: {
    readonly events?: readonly GatewayEvent[];
    readonly canceled?: boolean;
    readonly cancel_reason?: string;
  };
}

/** A key that no API server looks at: once a watch delivers it, everything before has been delivered. */
const mark = "fault-histories";
const timeoutMs = 10_000;
const encode = (text: string): string => Buffer.from(text).toString("base64");
const decode = (text: string): string => Buffer.from(text, "base64").toString();

/** One member, by etcd's gateway for JSON: what servers' answers are compared with does not come through code of ours. */
export class EtcdGateway {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async status(): Promise<{ readonly member: string; readonly leader: string }> {
    const { header, leader = "0" } = await this.#call<{ header: Header; leader?: string }>("maintenance/status", {});
    return { member: header.member_id, leader };
  }

  /** Asked of the leader. */
  moveLeader = (target: string): Promise<unknown> =>
    this.#call("maintenance/transfer-leadership", { targetID: target });

  compact = (revision: number): Promise<unknown> => this.#call("kv/compaction", { revision: String(revision) });

  /** Writes the mark. Answers its revision, which is newer than everything that was acknowledged before. */
  async mark(): Promise<number> {
    const { header } = await this.#call<{ header: Header }>("kv/put", { key: encode(mark), value: encode("here") });
    return Number(header.revision);
  }

  /** What was committed below a prefix after a revision and before that of a mark. */
  async readLog(prefix: string, after: number, marked: number): Promise<Commit[]> {
    const everything = { key: encode("\0"), range_end: encode("\0"), start_revision: String(after + 1) };
    const answer = await this.#send("watch", { create_request: everything });
    try {
      const commits: Commit[] = [];
      for await (const line of linesOf(answer)) {
        const { result } = JSON.parse(line) as WatchLine;
        if (!result || result.canceled) throw new Error(`etcd ended the watch: ${line}`);
        for (const { type, kv } of result.events ?? []) {
          const revision = Number(kv.mod_revision);
          if (revision >= marked) return commits;
          const key = decode(kv.key);
          if (!key.startsWith(prefix)) continue;
          const value = type === "DELETE" ? undefined : (JSON.parse(decode(kv.value ?? "")) as StoredObject);
          commits.push({
            revision,
            key: key.slice(prefix.length),
            value: value && { uid: value.metadata.uid, content: contentOf(value) },
          });
        }
      }
      throw new Error("etcd ended the watch before the mark");
    } finally {
      answer.destroy();
    }
  }

  async #call<T>(path: string, body: unknown): Promise<T> {
    const answer = await this.#send(path, body);
    let text = "";
    for await (const chunk of answer) text += String(chunk);
    if (answer.statusCode !== 200) throw new Error(`etcd, ${path}: ${text.trim()}`);
    return JSON.parse(text) as T;
  }

  #send(path: string, body: unknown): Promise<IncomingMessage> {
    const signal = AbortSignal.timeout(timeoutMs);
    return new Promise((resolve, reject) => {
      const options = {
        method: "POST",
        signal,
        headers: { "content-type": "application/json" },
        agent: false as const,
      };
      const sent = request(`${this.#url}/v3/${path}`, options, resolve);
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
  }
}
