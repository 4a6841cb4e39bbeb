interface Named {
  readonly name?: string;
  readonly image?: string;
}

/** The cells "Containers" and "Images". */
export const containerCells = (containers: readonly Named[] | undefined | null): [names: string, images: string] => [
  (containers ?? []).map(({ name = "" }) => name).join(","),
  (containers ?? []).map(({ image = "" }) => image).join(","),
];
