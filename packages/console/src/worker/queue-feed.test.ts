import { expect, it } from "vitest";
import { withoutBegun } from "./queue-feed.js";

it("an item that was listed as waiting does not wait any more once it was taken", () => {
  const row = (item: string, state: string, since: number) => ({
    component: "c",
    queue: "q",
    item,
    state,
    ms: 0,
    retries: 0,
    wokenBy: "",
    since,
  });
  const rows = [row("a", "Waiting", 5), row("a", "Done", 6), row("b", "Waiting", 9), row("b", "Done", 3)];
  expect(withoutBegun(rows).map(({ item, state }) => `${item} ${state}`)).toEqual(["a Done", "b Waiting", "b Done"]);
});
