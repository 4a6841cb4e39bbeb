import { createSeededRandom } from "@coxswain/runtime/random";
import type { ConversionWebhook } from "./conversion/conversion-server.js";
import { conversionStories } from "./conversion/conversion-stories.js";
import { definitionStories } from "./definition-stories.js";
import { objectStories } from "./object-stories.js";
import { sample } from "./pick.js";
import { policyStories } from "./policy-stories.js";
import { ratchetStories } from "./ratchet-stories.js";
import type { Scene, Story } from "./story.js";
import { webhookStories } from "./webhook-stories.js";

export interface StoryChoice {
  readonly seed: string;
  /** Of a scene whose asks are at once. */
  readonly limit: number;
  /** Converts objects; without it, nobody asks about conversions. */
  readonly webhook?: ConversionWebhook | undefined;
}

/** Everything that is asked about what is added to the API. The same seed makes the same stories. */
export function readStories({ seed, limit, webhook }: StoryChoice): Story[] {
  const stories = [
    ...definitionStories(seed),
    ...objectStories(seed),
    ...ratchetStories(seed),
    ...(webhook ? conversionStories(seed, webhook) : []),
    ...policyStories(),
    ...webhookStories(),
  ];
  return stories.map((story): Story => {
    const random = createSeededRandom(seed).fork(story.name);
    return {
      ...story,
      scenes: story.scenes.map(
        (scene): Scene =>
          "asks" in scene && scene.atOnce === true ? { ...scene, asks: sample(scene.asks, limit, random) } : scene,
      ),
    };
  });
}
