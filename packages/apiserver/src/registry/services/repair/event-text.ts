/** What is told of an object: the words that scripts look for, and those for people. */
export interface EventText {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}
