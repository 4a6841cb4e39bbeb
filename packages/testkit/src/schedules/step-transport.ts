import type { Transport, TransportRequest } from "@coxswain/client/transport";
import type { WatchEvent, WatchStream } from "@coxswain/client/watch";
import type { Schedule } from "./schedule.js";

export interface StepOptions {
  readonly schedule: Schedule;
  /** Whose steps they are. Undefined: of something that is no program under test: its steps are counted, and plans cannot hold them. */
  readonly program?: string | undefined;
}

/** Makes a step of each request that is sent, each answer and each event that arrives. */
export function stepTransport(transport: Transport, { schedule, program }: StepOptions): Transport {
  const step = (what: string): Promise<void> | undefined =>
    program === undefined ? schedule.pass() : schedule.step(`${program} ${what}`);
  return {
    async send(request) {
      const what = describeRequest(request);
      await step(`sends ${what}`);
      const response = await transport.send(request);
      await step(`gets ${what}`);
      return response;
    },
    async watch(request) {
      const what = describeRequest(request);
      await step(`sends ${what}`);
      const stream = await transport.watch(request);
      await step(`gets ${what}`);
      return stepEvents(stream, step);
    },
    close: () => transport.close(),
  };
}

/** Events one after the other: a batch is handed on in parts where one of its events is held. */
function stepEvents(stream: WatchStream, step: (what: string) => Promise<void> | undefined): WatchStream {
  async function* events(): AsyncGenerator<readonly WatchEvent[], void> {
    for await (const batch of stream) {
      let ready: WatchEvent[] = [];
      for (const event of batch) {
        const label = describeEvent(event);
        const wait = label === undefined ? undefined : step(label);
        if (wait) {
          if (ready.length > 0) yield ready;
          ready = [];
          await wait;
        }
        ready.push(event);
      }
      if (ready.length > 0) yield ready;
    }
  }
  return {
    [Symbol.asyncIterator]: events,
    stop: () => stream.stop(),
    ...(stream.isEndless && { isEndless: true }),
  };
}

/** "get configmaps default/counter" */
export function describeRequest({ method, path, query = [] }: TransportRequest): string {
  const parts = path.split("/").filter((part) => part !== "");
  const rest = parts.slice(parts[0] === "apis" ? 3 : 2);
  const namespace = rest[0] === "namespaces" && rest.length > 2 ? rest[1] : undefined;
  const [resource = path, name, ...more] = namespace === undefined ? rest : rest.slice(2);
  const isWatch = query.some(([key, value]) => key === "watch" && value !== "false" && value !== "0");
  const verb = isWatch ? "watch" : verbOf(method, name !== undefined);
  const where = [namespace, name].filter((part) => part !== undefined).join("/");
  return [verb, [resource, ...more].join("/"), where].filter((part) => part !== "").join(" ");
}

function verbOf(method: string, hasName: boolean): string {
  switch (method) {
    case "GET":
      return hasName ? "get" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return hasName ? "delete" : "deletecollection";
    default:
      return method.toLowerCase();
  }
}

/** Whether a step is the arrival of an event. */
export const isEventStep = (step: string): boolean => / sees (ADDED|MODIFIED|DELETED) /.test(step);

/** "sees MODIFIED ConfigMap default/counter"; undefined for what brings no object. */
function describeEvent(event: WatchEvent): string | undefined {
  if (event.type === "BOOKMARK" || event.type === "ERROR") return undefined;
  const { kind = "object", metadata = {} } = event.object as {
    kind?: string;
    metadata?: { namespace?: string; name?: string };
  };
  const { namespace, name = "" } = metadata;
  return `sees ${event.type} ${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
