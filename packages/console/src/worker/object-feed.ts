import { isNotFound } from "@coxswain/apimachinery/status";
import type { ListerWatcher, RestClient } from "@coxswain/client";
import { createReflector } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { KubernetesValue, ObjectRef, ObjectState } from "../contract/messages.js";
import { pathOf } from "../contract/paths.js";
import type { Feed } from "./feed.js";
import { problemOf } from "./problem.js";

interface ObjectQuery {
  readonly ref: ObjectRef;
  readonly at: string;
}

/** One object, live; or as it was at a revision. */
export function objectFeed(
  runtime: Runtime,
  rest: RestClient,
  first: ObjectQuery,
  push: (state: ObjectState) => void,
): Feed<ObjectQuery> {
  let ending = new AbortController();
  const start = (query: ObjectQuery): void => {
    ending.abort();
    ending = new AbortController();
    const { signal } = ending;
    void import("./yaml.js").then(({ yamlOf }) => {
      if (signal.aborted) return undefined;
      if (query.at !== "") return showPast(rest, query, { push, yamlOf });
      return follow(runtime, { rest, ref: query.ref, push, yamlOf, signal });
    });
  };
  start(first);
  return { update: start, close: () => ending.abort() };
}

interface Following {
  readonly rest: RestClient;
  readonly ref: ObjectRef;
  push(state: ObjectState): void;
  readonly yamlOf: YamlOf;
  readonly signal: AbortSignal;
}

function follow(runtime: Runtime, { rest, ref, push, yamlOf, signal }: Following): Promise<void> {
  let last: KubernetesValue | undefined;
  const show = (object: KubernetesValue): void => {
    last = object;
    push(stateOf(object, yamlOf));
  };
  const gone = (): void => push({ ...stateOf(last, yamlOf), isGone: true });
  const reflector = createReflector<KubernetesValue>({
    runtime,
    listerWatcher: singleSource(rest, ref),
    useWatchList: false,
    target: {
      add: show,
      update: show,
      delete: gone,
      replace: (objects) => (objects[0] ? show(objects[0]) : gone()),
      bookmark: () => {},
    },
    onError: (error) => push({ ...stateOf(last, yamlOf), problem: problemOf(error) }),
  });
  return reflector.run(signal);
}

/** A list of one: field selectors on the name work for every kind. */
function singleSource(rest: RestClient, ref: ObjectRef): ListerWatcher<KubernetesValue> {
  const query = (asked: object): [string, string][] => [
    ["fieldSelector", `metadata.name=${ref.name}`],
    ...Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
  ];
  const path = pathOf({ ...ref, name: "" });
  return {
    async list(asked, signal) {
      const list = (await rest.send({ method: "GET", path, query: query(asked), signal })) as KubernetesValue;
      const {
        items = [],
        kind = "",
        apiVersion,
      } = list as { items?: KubernetesValue[]; kind?: string; apiVersion?: string };
      const typed = items.map((item) => ({ apiVersion, kind: kind.replace(/List$/, ""), ...item }) as KubernetesValue);
      return { items: typed, resourceVersion: list.metadata?.resourceVersion ?? "" };
    },
    watch: (asked, signal) =>
      rest.watch({ method: "GET", path, query: [["watch", "true"], ...query(asked)], signal }) as never,
  };
}

async function showPast(
  rest: RestClient,
  { ref, at }: ObjectQuery,
  { push, yamlOf }: Pick<Following, "push" | "yamlOf">,
): Promise<void> {
  try {
    push(stateOf(await readObject(rest, ref, at), yamlOf));
  } catch (error) {
    push({ ...stateOf(undefined, yamlOf), isGone: isNotFound(error), problem: problemOf(error) });
  }
}

/** One object now, or as it was at a revision: Kubernetes has the past in lists only. */
export async function readObject(rest: RestClient, ref: ObjectRef, at: string): Promise<KubernetesValue> {
  if (at === "") return (await rest.send({ method: "GET", path: pathOf(ref) })) as KubernetesValue;
  const { items } = await singleSource(rest, ref).list(
    { resourceVersion: at, resourceVersionMatch: "Exact" },
    new AbortController().signal,
  );
  const [object] = items;
  if (!object) throw new Error(`${ref.resource} "${ref.name}" did not exist at revision ${at}`);
  return object;
}

type YamlOf = (object: KubernetesValue) => string;

const stateOf = (object: KubernetesValue | undefined, yamlOf: YamlOf): ObjectState => ({
  object,
  yaml: object ? yamlOf(object) : "",
  isGone: false,
  problem: undefined,
});
