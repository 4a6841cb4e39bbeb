import { useEffect, useMemo } from "preact/hooks";
import type { Feeds } from "../contract/messages.js";
import { app } from "./app-state.js";
import type { OpenFeed } from "./worker-client.js";

/** Opens a feed for as long as the component is shown; `key` names what it is about. */
export function useFeed<Name extends keyof Feeds>(
  name: Name,
  params: Feeds[Name]["params"],
  key: string,
): OpenFeed<Name> {
  const feed = useMemo(() => app().worker.feed(name, params), [name, key]);
  useEffect(() => () => feed.close(), [feed]);
  const text = JSON.stringify(params);
  useEffect(() => feed.update(params), [feed, text]);
  return feed;
}
