/** Something open that the page looks at. */
export interface Feed<Params> {
  /** The page wants to see something else of it. */
  update(params: Params): void;
  close(): void;
}
