import { createSeededRandom } from "@coxswain/apimachinery/random";
import { definitionStories } from "./definition-stories.js";
import { objectStories } from "./object-stories.js";
import { policyStories } from "./policy-stories.js";
import { sample } from "./pick.js";
import type { Scene, Story } from "./story.js";
import { webhookStories } from "./webhook-stories.js";

/** Everything that is asked about what is added to the API. The same seed makes the same stories; `limit`: asks of a scene that are at once, chosen by chance. */
export function readStories({ seed, limit }: { readonly seed: string; readonly limit: number }): Story[] {
  const stories = [...definitionStories(seed), ...objectStories(seed), ...policyStories(), ...webhookStories()];
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
