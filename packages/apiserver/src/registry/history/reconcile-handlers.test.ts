import { recordWork } from "@coxswain/client/work";
import { testRuntime } from "@coxswain/runtime";
import { expect, it } from "vitest";
import { listedReconciles } from "./reconcile-handlers.js";

it("lists what runs and what waits before what is done, however much that is", () => {
  const { clock } = testRuntime(1);
  const recorder = recordWork({ clock, revision: () => 1 });
  const queued = (item: string): void => recorder.queued("q", item);
  queued("long");
  recorder.began("q", "long");
  for (let at = 0; at < 20; at++) {
    queued(`done-${at}`);
    recorder.began("q", `done-${at}`);
    recorder.ended("q", `done-${at}`);
  }
  queued("next");
  const listed = (most: number): string[] =>
    listedReconciles(recorder, most).map(({ state, item }) => `${state} ${item}`);
  expect(listed(4)).toEqual(["Running long", "Waiting next", "Done done-19", "Done done-18"]);
  expect(listed(1)).toEqual(["Running long"]);
  expect(listed(100).length).toBe(22);
});
