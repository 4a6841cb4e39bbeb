import { clusterStories } from "./cluster.js";
import { objectStories } from "./objects.js";
import { pastStories } from "./past.js";
import { questionStories } from "./questions.js";
import type { Story } from "./story.js";
import { tableStories } from "./tables.js";

/** Every story leaves the cluster as it found it, but for the Deployment "web" in default, which has 3 replicas. */
export const stories: readonly Story[] = [
  ...tableStories,
  ...objectStories,
  ...pastStories,
  ...clusterStories,
  ...questionStories,
];

export type { Story, StoryContext } from "./story.js";
