import { createActivity } from "@coxswain/runtime/activity";
import { expect, it } from "vitest";
import { createBackground } from "./background.js";

it("more than ten bindings at once cause no warning about listeners, and all end when it stops", async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", onWarning);
  const background = createBackground(createActivity(), (error) => expect(error).toBeUndefined());
  let ended = 0;
  for (let index = 0; index < 20; index++)
    background.run(async (signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended++;
    });
  await background.stop();
  await new Promise((resolve) => process.nextTick(resolve)); // warnings are emitted on the next tick
  process.off("warning", onWarning);
  expect({ ended, warnings }).toEqual({ ended: 20, warnings: [] });
});
