/** The certificates by which pods know the API server. While an authority is replaced there are two, then one again. */
export interface RootCa {
  /** In PEM; the one that signs comes first, where that is known. */
  current(): string;
  /** Called after each change, until the process ends. */
  onChange(listener: () => void): void;
}

export const fixedRootCa = (pem: string): RootCa => ({ current: () => pem, onChange() {} });
