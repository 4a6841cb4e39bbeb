import type { TransportRequest } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { Calls, Feeds, KubernetesValue } from "../contract/messages.js";
import type { Place } from "../contract/paths.js";
import { type Catalogue, readCatalogue, readCluster, whoAmI } from "./catalogue.js";
import { type Connection, openConnection } from "./connection.js";
import { readEvents } from "./event-lines.js";
import type { Feed } from "./feed.js";
import { createForwards, type Forwards } from "./forwards.js";
import { lazyFeed } from "./lazy-feed.js";
import { objectFeed, readObject } from "./object-feed.js";
import { overviewFeed } from "./overview-feed.js";
import { readyOf } from "./ready.js";
import { createSchemas } from "./schema.js";
import { createSearch } from "./search.js";
import { tableFeed } from "./table-feed.js";
import { createTableStores, type TableStores } from "./table-store.js";

/** What the page may ask, each with who answers it. */
export interface Answers {
  call<Name extends keyof Calls>(
    name: Name,
    params: Calls[Name]["params"],
    port: MessagePort | undefined,
  ): Promise<Calls[Name]["result"]>;
  open<Name extends keyof Feeds>(
    name: Name,
    params: Feeds[Name]["params"],
    push: (state: Feeds[Name]["state"]) => void,
  ): Feed<Feeds[Name]["params"]>;
}

interface Context {
  readonly runtime: Runtime;
  readonly connection: Connection;
  readonly rest: Connection["rest"];
  readonly catalogue: Catalogue;
  readonly stores: TableStores;
  readonly schemas: ReturnType<typeof createSchemas>;
  readonly forwards: Forwards;
}

export function createAnswers(runtime: Runtime, url: string, onChange: (state: "open" | "lost") => void): Answers {
  let context: Context | undefined;
  const connected = (): Context => {
    if (!context) throw new Error("the console is not connected");
    return context;
  };
  return {
    async call(name, params, port) {
      if (name === "connect") {
        const { key } = params as Calls["connect"]["params"];
        const connection = await openConnection(runtime, { key, url, onChange });
        const { rest } = connection;
        const catalogue = await readCatalogue(rest);
        const canWatch = ({ group, resource }: Place): boolean =>
          catalogue.find(group, resource)?.verbs.includes("watch") ?? true;
        const stores = createTableStores({ runtime, rest, canWatch });
        const schemas = createSchemas(rest);
        context = { runtime, connection, rest, catalogue, stores, schemas, forwards: createForwards(rest) };
        return (await readCluster(connection, catalogue)) as never;
      }
      return (await callTable[name as Exclude<keyof Calls, "connect">](connected(), params as never, port)) as never;
    },
    open: (name, params, push) => feedTable[name](connected(), params as never, push as never) as never,
  };
}

type CallTable = {
  readonly [Name in Exclude<keyof Calls, "connect">]: (
    context: Context,
    params: Calls[Name]["params"],
    port: MessagePort | undefined,
  ) => Calls[Name]["result"] | Promise<Calls[Name]["result"]>;
};

const callTable: CallTable = {
  async seeAs({ connection, stores, rest }, { as }) {
    connection.seeAs(as);
    stores.reset();
    return { user: (await whoAmI(rest)).user };
  },
  async send({ rest }, { request }) {
    const { method, path, query, body, contentType } = request;
    const sent: TransportRequest = {
      method,
      path,
      query,
      ...(body !== undefined && { body: { as: "value", value: body, ...(contentType !== "" && { contentType }) } }),
    };
    return { value: (await rest.send(sent)) as KubernetesValue };
  },
  async get({ rest }, { ref, at }) {
    const [{ yamlOf }, value] = await Promise.all([import("./yaml.js"), readObject(rest, ref, at)]);
    return { value, yaml: yamlOf(value) };
  },
  search: ({ catalogue, stores }, { text }) => createSearch(catalogue, stores)(text),
  related: async ({ runtime, rest, catalogue, stores }, { ref }) =>
    (await import("./related.js")).readRelated({ rest, catalogue, stores, ready: readyOf(runtime) }, ref),
  misfits: async ({ rest }, { ref }) => (await import("./misfits.js")).readMisfits(rest, ref),
  usage: async ({ rest, catalogue }, { ref }) => (await import("./usage.js")).readUsage(rest, catalogue, ref),
  events: ({ rest }, { ref, uid }) =>
    readEvents(rest, ref.namespace, uid === "" ? `involvedObject.name=${ref.name}` : `involvedObject.uid=${uid}`),
  changes: async ({ rest, catalogue }, { ref }) => (await import("./changes.js")).changesOf(rest, catalogue, ref),
  schema: ({ schemas }, { group, version, kind }) => schemas(group, version, kind),
  access: async ({ rest }, params) => (await import("./access.js")).readAccess(rest, params),
  moment: async ({ rest }, { time }) => (await import("./changes.js")).readMoment(rest, time),
  drain: async ({ rest }, { node }) => (await import("./drain.js")).drainNode(rest, node),
  explain: async ({ rest }, params) => (await import("./explain.js")).explainObject(rest, params),
  causes: async (context, params) => (await import("./explain.js")).drawCauses(context, params),
  nearMisses: async ({ rest }, params) => (await import("./explain.js")).explainAccess(rest, params),
  topology: async (context, { ref }) => (await import("./draw-topology.js")).drawTopology(context, ref),
  compareMoments: async ({ rest, catalogue }, params) =>
    (await import("./moment-difference.js")).compareMoments(rest, catalogue, params),
  forward: ({ forwards }, target) => forwards.open(target) as Promise<undefined>,
  endForward: ({ forwards }, { id }) => forwards.end(id) as undefined,
  clock: async ({ rest }, { advanceMs }) =>
    (await rest.send({ method: "POST", path: `/console/clock/${advanceMs}` })) as { now: number },
  yaml: async (_, { value }) => (await import("./yaml.js")).stringifyYaml(value),
  parse: async (_, { text }) => (await import("./yaml.js")).parseDocument(text),
  async exec({ connection }, params, port) {
    if (!port) throw new TypeError("a terminal needs a port");
    const { openTerminal } = await import("./terminal.js");
    await openTerminal(connection.transport, params, port);
    return undefined;
  },
};

type FeedTable = {
  readonly [Name in keyof Feeds]: (
    context: Context,
    params: Feeds[Name]["params"],
    push: (state: Feeds[Name]["state"]) => void,
  ) => Feed<Feeds[Name]["params"]>;
};

const feedTable: FeedTable = {
  table: ({ runtime, stores }, params, push) => tableFeed(runtime, stores, params, push),
  object: ({ runtime, rest }, params, push) => objectFeed(runtime, rest, params, push),
  logs: (context, first, push) =>
    lazyFeed(first, async () => {
      const { logFeed } = await import("./log-feed.js");
      return (params) => logFeed(context.runtime, context, params, push);
    }),
  timeline: (context, first, push) =>
    lazyFeed(first, async () => {
      const { timelineFeed } = await import("./timeline-feed.js");
      return (params) => timelineFeed(context.runtime, context, params, push);
    }),
  overview: (context, params, push) => overviewFeed(context.runtime, context, params, push),
  queues: (context, first, push) =>
    lazyFeed(first, async () => {
      const { queueFeed } = await import("./queue-feed.js");
      return () => queueFeed(context.runtime, context, push);
    }),
  forwards: ({ forwards }, _, push) => forwards.feed(push),
};
