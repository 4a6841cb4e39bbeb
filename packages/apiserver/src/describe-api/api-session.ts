import assert from "node:assert/strict";
import { append } from "@coxswain/apimachinery/append";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Transport, TransportRequest } from "@coxswain/client/transport";
import type { WatchEvent } from "@coxswain/client/watch";
import type { ApiObject, ApiUnderTest } from "./api-under-test.js";

export interface Asked {
  readonly status: number;
  readonly value: unknown;
  readonly warnings: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

const patchTypes = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** One test's requests for the kind under test. */
export class ApiSession {
  readonly #transport: Transport;
  readonly under: ApiUnderTest;

  constructor(transport: Transport, under: ApiUnderTest) {
    this.#transport = transport;
    this.under = under;
  }

  /** A new object of the kind under test. */
  async newObject(name: string, labels?: Labels, version = this.under.version): Promise<Written> {
    return this.withContent(this.under.valid(), name, labels, version);
  }

  async withContent(content: ApiObject, name: string, labels?: Labels, version = this.under.version): Promise<Written> {
    const { group } = this.under;
    return {
      apiVersion: `${group}/${version}`,
      kind: await this.kind(),
      metadata: { name, ...(labels && { labels: { ...labels } }) },
      ...content,
    } as Written;
  }

  /** As discovery names it. */
  async kind(): Promise<string> {
    const { group, version, plural } = this.under;
    const { value } = await this.ask("GET", `/apis/${group}/${version}`);
    const found = (value as { resources: { name: string; kind: string }[] }).resources.find(
      ({ name }) => name === plural,
    );
    assert.ok(found, `discovery names ${plural} in ${group}/${version}`);
    return found.kind;
  }

  /** The collection, or one object of it. */
  path(name = "", version = this.under.version): string {
    const { group, namespaced, plural } = this.under;
    return `/apis/${group}/${version}${namespaced ? "/namespaces/default" : ""}/${plural}${name && `/${name}`}`;
  }

  async ask(
    method: TransportRequest["method"],
    path: string,
    { body, query = {}, ...headers }: AskOptions = {},
  ): Promise<Asked> {
    const response = await this.#transport.send({
      method,
      path,
      query: Object.entries(query),
      headers,
      ...(body && { body: { as: "value", ...body } }),
    });
    return { status: response.status, value: await response.value(), warnings: response.warnings };
  }

  /** The object of the answer; fails where the server refused. */
  async done(answering: Promise<Asked>): Promise<Written> {
    const { status, value } = await answering;
    assert.ok(status < 300, JSON.stringify(value));
    return value as Written;
  }

  /** The reason of the refusal; fails where there was none. */
  async refusal(answering: Promise<Asked>): Promise<string> {
    const { status, value } = await answering;
    assert.ok(status >= 400, `it was not refused: ${JSON.stringify(value)}`);
    return (value as { reason?: string }).reason ?? "";
  }

  create = async (name: string, labels?: Labels): Promise<Written> =>
    this.done(this.ask("POST", this.path(), { body: { value: await this.newObject(name, labels) } }));

  read = (name: string, version?: string): Promise<Asked> => this.ask("GET", this.path(name, version));

  async list(query: Readonly<Record<string, string>> = {}): Promise<ObjectList> {
    return (await this.done(this.ask("GET", this.path(), { query }))) as unknown as ObjectList;
  }

  patch = (
    name: string,
    type: keyof typeof patchTypes,
    value: unknown,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Asked> => this.ask("PATCH", this.path(name), { body: { value, contentType: patchTypes[type] }, query });

  /** The first `count` events after a revision. */
  async events(from: string, count: number): Promise<readonly WatchEvent[]> {
    const ending = new AbortController();
    const stream = await this.#transport.watch({
      method: "GET",
      path: this.path(),
      query: [
        ["watch", "1"],
        ["resourceVersion", from],
      ],
      signal: ending.signal,
    });
    const seen: WatchEvent[] = [];
    for await (const events of stream) {
      append(seen, events);
      if (seen.length >= count) break;
    }
    ending.abort();
    return seen;
  }
}

export interface AskOptions {
  readonly body?: { readonly value: unknown; readonly contentType?: string };
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
}

export interface Written extends KubernetesObject {
  readonly [member: string]: unknown;
}

export interface ObjectList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Written[];
}

export const namesOf = ({ items }: ObjectList): string[] => items.map(({ metadata }) => metadata.name ?? "");
