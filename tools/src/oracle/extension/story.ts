import type { Json, JsonObject } from "../../record/index.js";

/** What a server keeps of the objects that a story remembers, by the names that the story gives them. */
export type Kept = ReadonlyMap<string, JsonObject>;

/** One request, whose answer is compared. */
export interface Ask {
  /** Unique within the story. */
  readonly sentence: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With the query. */
  readonly path: string;
  /** Of the body. @default application/json */
  readonly type?: string;
  /** @default application/json */
  readonly accept?: string;
  /** What is put is what the server itself gave: a function of what was kept. */
  readonly body?: Json | ((kept: Kept) => Json);
  /** Keeps the object of an accepted answer by this name. */
  readonly keep?: string;
}

/** - `asks`: in their order, or several at once where none is in another's way. - `wait`: until an answer is as it has to be; not compared. */
export type Scene =
  | { readonly asks: readonly Ask[]; readonly atOnce?: boolean }
  | {
      readonly wait: Ask;
      readonly until: (status: number, body: Json | undefined) => boolean;
      readonly quiet?: boolean;
    };

/** Requests about something that is added to the API, in their order. */
export interface Story {
  /** Unique. */
  readonly name: string;
  /** By which `--group` chooses it. */
  readonly group: StoryGroup;
  /** Whether `npm test` plays a part of it again, as it was recorded. */
  readonly recorded?: boolean;
  readonly scenes: readonly Scene[];
}

export const storyGroups = ["custom-definitions", "custom-objects", "policies", "webhooks"] as const;
export type StoryGroup = (typeof storyGroups)[number];
